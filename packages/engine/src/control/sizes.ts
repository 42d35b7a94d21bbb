import { availableParallelism } from 'node:os'
import type { RunModel } from '@aiperf/core'

/**
 * How many workers and recorders: enough for the machine, no more than the load can use. One worker sends some ten
 * thousand requests a second; one recorder keeps up with about one worker.
 */
export function threadCounts(model: RunModel): { workers: number; recorders: number } {
  const cores = availableParallelism()
  const closed = model.phases.every((p) => p.mode === 'concurrency')
  const concurrency = Math.max(...model.phases.map((p) => Number((p.options as { concurrency?: number }).concurrency ?? 1)))
  const byMachine = Math.max(1, Math.min(Math.floor(cores * 0.75) - 1, 32))
  const workers = model.runtime.workers ?? (closed ? Math.min(byMachine, concurrency) : byMachine)
  const recorders = model.runtime.recorders ?? Math.max(1, Math.min(workers, Math.floor(cores / 4)))
  return { workers, recorders: Math.min(recorders, workers) }
}
