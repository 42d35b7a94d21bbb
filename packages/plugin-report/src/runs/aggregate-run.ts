import { basename, dirname, join } from 'node:path'
import type { Json, JsonObject, MetricResult, Statistics } from '@aiperf/core'
import { list, object, number, sweepFacts, text } from './facts.js'
import { metricsOf, readJson } from './file-run.js'
import type { UnlabelledRun } from './loaded.js'
import type { MetricNames } from './metric-names.js'

const STATS = /^(.+)_(avg|min|max|sum|count|std|p\d+)$/

/** What several runs gave together, as one run: means with their intervals over the runs. */
export function aggregateRun(directory: string, summary: string, names: MetricNames): UnlabelledRun {
  const document = readJson(join(directory, summary))
  const metadata = object(document['metadata'])
  const name = basename(directory) === 'aggregate' ? basename(dirname(directory)) : basename(directory)
  const trials = number(metadata['num_successful_runs']) ?? number(metadata['num_profile_runs'])
  return togetherAs({ name, directory, values: object(metadata['variation_values']), metrics: document['metrics'], trials, metadata, program: text(document['aiperf_version']) }, names)
}

/** The points of a sweep, each as one run, from the one file that tells of all. */
export function sweepPoints(directory: string, summary: string, names: MetricNames): UnlabelledRun[] {
  const document = readJson(join(directory, summary))
  const metadata = object(document['metadata'])
  const trials = number(metadata['num_trials_per_value']) ?? 1
  return list(document['per_combination_metrics']).map((row) => {
    const values = object(row['parameters'])
    const name = Object.entries(values).map(([key, value]) => `${key} ${String(value)}`).join(', ')
    return togetherAs({ name, directory, values, metrics: row['metrics'], trials, metadata, program: text(document['aiperf_version']) }, names)
  })
}

interface Together {
  name: string
  directory: string
  /** What was varied. */
  values: JsonObject
  metrics: Json | undefined
  trials: number | undefined
  metadata: JsonObject
  program: string | undefined
}

function togetherAs({ name, directory, values, metrics, trials, metadata, program }: Together, names: MetricNames): UnlabelledRun {
  return {
    name,
    directory,
    facts: { run_name: name, ...sweepFacts(values) },
    point: `${directory} ${JSON.stringify(values)}`,
    ...(trials === undefined ? {} : { trials }),
    metrics: meansOf(object(metrics), names),
    largerIsBetter: (tag) => names(tag).largerIsBetter,
    gpus: undefined,
    slices: [],
    telemetry: () => Promise.resolve([]),
    requests: () => Promise.resolve(undefined),
    about: {
      program: `AIPerf ${program ?? ''}`.trim(), endpoint: { type: '', title: '', streaming: false, urls: [], models: [] },
      complete: true, wasCancelled: false, errors: [], absent: [], phases: [], notices: [], manifest: metadata,
    },
  }
}

/** `tag_stat` entries are means over runs, with their interval; a `tag` entry of a point that was run once holds its statistics. */
function meansOf(entries: JsonObject, names: MetricNames): Map<string, MetricResult> {
  const metrics = metricsOf(entries, names)
  for (const [key, value] of Object.entries(entries)) {
    const [, tag, stat] = STATS.exec(key) ?? []
    const entry = object(value)
    const mean = number(entry['mean'])
    if (tag === undefined || mean === undefined) continue
    // Its minimum and maximum are those of the mean over the runs.
    metrics.delete(key)
    let metric = metrics.get(tag)
    if (!metric) metrics.set(tag, (metric = { tag, header: names(tag).header, unit: text(entry['unit']) ?? names(tag).unit, group: 'default', kind: 'derived', intervals: {} }))
    metric[stat as keyof Statistics] = mean
    const low = number(entry['ci_low'])
    const high = number(entry['ci_high'])
    if (low !== undefined && high !== undefined) (metric.intervals ??= {})[stat as keyof Statistics] = [low, high]
  }
  return metrics
}
