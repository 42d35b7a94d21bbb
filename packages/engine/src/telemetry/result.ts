import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SeriesSummary, StoredSample, TelemetryResult, TelemetryTargetReport, TelemetryWindow } from '@aiperf/core'
import { counterStatistics } from './counter.js'
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

  summarise(windows: readonly TelemetryWindow[], only?: string): SeriesSummary[] {
    return this.#store.series.flatMap((stored) => {
      if (only !== undefined && stored.series.name !== only) return []
      const summary = this.#summary(stored, windows)
      return summary ? [{ series: stored.series, target: stored.target, ...summary }] : []
    })
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

  #summary(stored: StoredSeries, windows: readonly TelemetryWindow[]): Partial<SeriesSummary> | undefined {
    const target = this.#store.targets[stored.target]!
    const sampled = { ns: target.ns.view(), everyNs: this.#everyNs[stored.target]!, borders: target.borders }
    if (stored.series.type === 'counter') {
      const changes = { samples: stored.samples.view(), values: stored.values.view(), continuous: stored.series.continuous === true }
      const counter = counterStatistics(sampled, changes, windows)
      return counter && { counter }
    }
    if (stored.series.type === 'histogram') {
      const histogram = histogramStatistics(sampled, stored, windows)
      return histogram && { histogram }
    }
    const gauge = gaugeStatistics(this.#curve(stored), windows)
    if (!gauge) return undefined
    return stored.series.type === 'info' ? {} : { gauge }
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
