import { availableParallelism } from 'node:os'
import type { RunModel } from '@aiperf/core'

/** Pairs of threads beyond which only the user goes: 8 of them send and record some 100,000 requests/s, or 1.5 million chunks/s. */
const MOST = 8
/** Slots of a closed loop that a worker gets at least, before another one is started. */
const SLOTS = 16

/**
 * How many workers and recorders: no more than the machine has cores for (all other threads are mostly idle), and no more than
 * the load can use. A worker spends about 40 µs on a request, a recorder as much and 4 µs on each streamed chunk: so
 * there is a recorder for each worker.
 */
export function threadCounts(model: RunModel, cores = availableParallelism()): { workers: number; recorders: number } {
  const byMachine = Math.max(1, Math.min(Math.floor(cores / 2), MOST))
  const slots = model.phases.map((p) => (p.mode === 'concurrency' ? Number((p.options as { concurrency?: number }).concurrency ?? 1) : Infinity))
  const byLoad = Math.ceil(Math.max(...slots) / SLOTS)
  const workers = model.runtime.workers ?? Math.min(byMachine, byLoad)
  const recorders = model.runtime.recorders ?? workers
  return { workers, recorders: Math.min(recorders, workers) }
}
