import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SeriesSummary, StoredSample, TelemetryResult, TelemetrySeries, TelemetryTargetReport, TelemetryWindow } from '@aiperf/core'
import { Counter } from './counter.js'
import { FILE_PATTERN } from './format.js'
import { GAP_INTERVALS, gaugeStatistics, type Curve } from './gauge.js'
import { histogramStatistics } from './histogram.js'
import { readSamples } from './samples.js'
import { readStore, type StoredSeries, type StoredSource, type StoredTarget } from './store.js'

/** Telemetry of a run from its journal folder; empty when there was none. */
export function readTelemetry(journal: string): TelemetryResult[] {
  return readdirSync(journal)
    .filter((name) => FILE_PATTERN.test(name))
    .sort()
    .flatMap((name) => {
      const path = join(journal, name)
      const store = readStore(path)
      return store ? [new StoredResult(path, store)] : []
    })
}

class StoredResult implements TelemetryResult {
  readonly source: string
  readonly title: string
  readonly ownExporter: boolean
  readonly targets: readonly TelemetryTargetReport[]
  readonly series: TelemetryResult['series']
  readonly #path: string
  readonly #store: StoredSource
  readonly #everyNs: Float64Array[]

  constructor(path: string, store: StoredSource) {
    this.#path = path
    this.#store = store
    this.#everyNs = store.targets.map((target) => target.everyMs.view().map((ms) => ms * 1e6))
    this.source = store.head.source
    this.title = store.head.title
    this.ownExporter = store.head.ownExporter
    this.targets = store.targets.map(report)
    this.series = store.series.map(({ series, target }) => ({ series, target }))
  }

  summarise(windows: readonly TelemetryWindow[], name?: string): SeriesSummary[] {
    return [...this.#groups([windows], name)].flatMap(({ summaries }) => summaries[0] ?? [])
  }

  each(windows: readonly TelemetryWindow[], name?: string): Iterable<{ series: TelemetrySeries; target: number; summaries: readonly (SeriesSummary | undefined)[] }> {
    return this.#groups(windows.map((window) => [window]), name)
  }

  points(index: number): { ns: Float64Array; values: Float64Array } {
    const stored = this.#store.series[index]
    if (!stored || stored.series.type === 'histogram') return { ns: new Float64Array(), values: new Float64Array() }
    const { ns, values } = this.#curve(stored)
    const kept = values.map((_, i) => i).filter((i) => !Number.isNaN(values[i]!))
    return { ns: kept.map((i) => ns[i]!), values: kept.map((i) => values[i]!) }
  }

  samples(): Iterable<StoredSample> {
    return readSamples(this.#path)
  }

  *#groups(groups: readonly (readonly TelemetryWindow[])[], name: string | undefined): Generator<{ series: TelemetrySeries; target: number; summaries: (SeriesSummary | undefined)[] }> {
    for (const stored of this.#store.series) {
      if (name !== undefined && stored.series.name !== name) continue
      const { series, target } = stored
      yield { series, target, summaries: this.#parts(stored, groups).map((part) => part && { series, target, ...part }) }
    }
  }

  #parts(stored: StoredSeries, groups: readonly (readonly TelemetryWindow[])[]): (Pick<SeriesSummary, 'gauge' | 'counter' | 'histogram'> | undefined)[] {
    const { type, continuous } = stored.series
    const target = this.#store.targets[stored.target]!
    const sampled = { ns: target.ns.view(), everyNs: this.#everyNs[stored.target]!, borders: target.borders }
    if (type === 'histogram') return histogramStatistics(sampled, stored, groups).map((histogram) => histogram && { histogram })
    if (type === 'counter') {
      const growing = new Counter(sampled, { samples: stored.samples.view(), values: stored.values.view(), continuous: continuous === true })
      return groups.map((windows) => growing.over(windows)).map((counter) => counter && { counter })
    }
    const curve = this.#curve(stored)
    return groups.map((windows) => gaugeStatistics(curve, windows)).map((gauge) => gauge && (type === 'info' ? {} : { gauge }))
  }

  /** Its value at every sample of its target. */
  #curve(stored: StoredSeries): Curve {
    const ns = this.#store.targets[stored.target]!.ns.view()
    const values = new Float64Array(ns.length).fill(Number.NaN)
    for (let k = 0; k < stored.samples.length; k++) {
      const until = k + 1 < stored.samples.length ? stored.samples.at(k + 1) : ns.length
      values.fill(stored.values.at(k), stored.samples.at(k), until)
    }
    return { ns, values, everyNs: this.#everyNs[stored.target]! }
  }
}

function report(target: StoredTarget): TelemetryTargetReport {
  const ns = target.ns.view()
  const updates = [...ns].filter((_, i) => target.changed.at(i) === 1)
  const latencies = [...ns].map((t, i) => (t - target.askedNs.at(i)) / 1e6).filter((ms) => !Number.isNaN(ms))
  const between = updates.slice(1).map((t, i) => (t - updates[i]!) / 1e6).sort((a, b) => a - b)
  const gaps = [...ns].flatMap((endNs, i) => (i > 0 && endNs - ns[i - 1]! > GAP_INTERVALS * target.everyMs.at(i - 1) * 1e6 ? [{ startNs: ns[i - 1]!, endNs }] : []))
  const mean = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length
  const { name, asked, intervalMs } = target.line
  return {
    name,
    asked,
    reached: ns.length > 0,
    intervalMs,
    samples: ns.length,
    updates: updates.length,
    failures: target.failures,
    ...(target.lastError === undefined ? {} : { lastError: target.lastError }),
    ...(ns.length > 0 ? { firstNs: ns[0]!, lastNs: ns.at(-1)!, firstUpdateNs: updates[0]!, lastUpdateNs: updates.at(-1)! } : {}),
    ...(latencies.length > 0 ? { meanLatencyMs: mean(latencies) } : {}),
    ...(between.length > 0 ? { meanUpdateIntervalMs: mean(between), medianUpdateIntervalMs: (between[(between.length - 1) >> 1]! + between[between.length >> 1]!) / 2 } : {}),
    gaps,
    dropped: target.dropped,
  }
}
