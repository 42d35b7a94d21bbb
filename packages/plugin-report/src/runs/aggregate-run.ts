import { basename, dirname, join } from 'node:path'
import type { MetricResult, Statistics } from '@aiperf/core'
import { object, number, sweepFacts, text } from './facts.js'
import { readJson } from './file-run.js'
import type { UnlabelledRun } from './loaded.js'
import type { MetricNames } from './metric-names.js'

const STATS = /^(.+)_(avg|min|max|sum|count|std|p\d+)$/

/** What several runs gave together, as one run: means with their intervals over the runs. */
export function aggregateRun(directory: string, summary: string, names: MetricNames): UnlabelledRun {
  const document = readJson(join(directory, summary))
  const metadata = object(document['metadata'])
  const metrics = new Map<string, MetricResult>()
  for (const [key, value] of Object.entries(object(document['metrics']))) {
    const [, tag, stat] = STATS.exec(key) ?? []
    const entry = object(value)
    const mean = number(entry['mean'])
    if (tag === undefined || mean === undefined) continue
    let metric = metrics.get(tag)
    if (!metric) metrics.set(tag, (metric = { tag, header: names(tag).header, unit: text(entry['unit']) ?? names(tag).unit, group: 'default', kind: 'derived', intervals: {} }))
    metric[stat as keyof Statistics] = mean
    const low = number(entry['ci_low'])
    const high = number(entry['ci_high'])
    if (low !== undefined && high !== undefined) metric.intervals![stat as keyof Statistics] = [low, high]
  }
  const name = basename(directory) === 'aggregate' ? basename(dirname(directory)) : basename(directory)
  const values = object(metadata['variation_values'])
  const trials = number(metadata['num_successful_runs']) ?? number(metadata['num_profile_runs'])
  return {
    name,
    directory,
    facts: { run_name: name, ...sweepFacts(values) },
    point: directory,
    ...(trials === undefined ? {} : { trials }),
    metrics,
    largerIsBetter: (tag) => names(tag).largerIsBetter,
    gpus: undefined,
    slices: [],
    telemetry: () => Promise.resolve([]),
    requests: () => Promise.resolve(undefined),
    about: {
      program: `AIPerf ${text(document['aiperf_version']) ?? ''}`.trim(), endpoint: { type: '', title: '', streaming: false, urls: [], models: [] },
      complete: true, wasCancelled: false, errors: [], absent: [], phases: [], notices: [], manifest: metadata,
    },
  }
}
