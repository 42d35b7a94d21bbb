import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { AiperfError, type JsonObject, type Metric, type MetricResult, type RunManifest } from '@aiperf/core'
import { JOURNAL } from '../journal/read.js'
import { loadResult, MANIFEST } from '../report/result.js'
import type { Host } from '@aiperf/core/host'

/** A finished run, as a comparison sees it. */
export interface ComparedRun {
  directory: string
  manifest: RunManifest
  metrics: ReadonlyMap<string, MetricResult>
  /** Values of the measured requests of a metric, in the order they were sent. */
  sample(tag: string): Promise<Float64Array>
}

/** The runs at one point of a sweep; of a single run or of repeated ones, all of them. */
export interface ComparedCell {
  key: string
  values: JsonObject
  runs: ComparedRun[]
}

const DEEPEST = 5

/** Finds the runs in a folder: the folder itself, or every run below it, by the point of the sweep it stands at. */
export async function loadSide(directory: string, host: Host, metrics: readonly Metric[]): Promise<ComparedCell[]> {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw new AiperfError('E_INPUT_FILE', `${directory} is no folder of results.`, { hint: 'Give the folder that aiperf profile named at its end.' })
  const cells = new Map<string, ComparedCell>()
  for (const found of runsBelow(directory, DEEPEST)) {
    const run = await loadRun(found, host, metrics)
    // A run without a success has nothing to compare.
    if (!run.metrics.get('request_count')?.avg) continue
    const values = run.manifest.sweep?.values ?? {}
    const key = Object.entries(values).map(([path, value]) => `${path}=${JSON.stringify(value)}`).sort().join(', ')
    const cell = cells.get(key)
    if (cell) cell.runs.push(run)
    else cells.set(key, { key, values, runs: [run] })
  }
  if (cells.size === 0) throw new AiperfError('E_INPUT_FILE', `${directory} holds no run with a successful request.`, { hint: 'Give the folder that aiperf profile named at its end.' })
  return [...cells.values()]
}

function runsBelow(directory: string, depth: number): string[] {
  if (existsSync(join(directory, JOURNAL, MANIFEST))) return [directory]
  if (depth === 0) return []
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => runsBelow(join(directory, entry.name), depth - 1))
    .sort()
}

async function loadRun(directory: string, host: Host, metrics: readonly Metric[]): Promise<ComparedRun> {
  const { result, close } = await loadResult(directory, host, metrics)
  const measured = new Set(result.phases.filter((p) => p.info.kind === 'profiling').map((p) => p.info.index))
  close()
  return {
    directory: relative('.', directory) || '.',
    manifest: result.manifest,
    metrics: result.profiling.metrics,
    sample: async (tag) => {
      const values: number[] = []
      for await (const { record, value } of result.records()) {
        const found = measured.has(record.phase) ? value(tag) : undefined
        if (typeof found === 'number') values.push(found)
      }
      return Float64Array.from(values)
    },
  }
}
