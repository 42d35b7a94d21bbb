import { closeSync, openSync, readSync } from 'node:fs'
import { AiperfError, type TelemetrySeries } from '@aiperf/core'
import type { FailureLine, HeadLine, Line, SampleLine, SeriesLine, TargetLine } from './format.js'

const CHUNK = 1 << 20

/** The whole lines of a telemetry file; what a kill left of the last one is passed over, as is a line that is no JSON. */
export function* readLines(path: string): Generator<Line> {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (cause) {
    throw new AiperfError('E_JOURNAL', `The telemetry file ${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
  try {
    const buffer = Buffer.allocUnsafe(CHUNK)
    let rest = Buffer.alloc(0)
    for (;;) {
      const size = readSync(file, buffer, 0, CHUNK, null)
      if (size === 0) return
      let from = 0
      for (let end = buffer.indexOf(10); end >= 0 && end < size; end = buffer.indexOf(10, from)) {
        const line = rest.length > 0 ? Buffer.concat([rest, buffer.subarray(from, end)]) : buffer.subarray(from, end)
        rest = Buffer.alloc(0)
        from = end + 1
        const parsed = parse(line.toString())
        if (parsed) yield parsed
      }
      rest = Buffer.concat([rest, buffer.subarray(from, size)])
    }
  } finally {
    closeSync(file)
  }
}

function parse(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text)
    return typeof line === 'object' && line !== null ? (line as Line) : undefined
  } catch {
    return undefined
  }
}

/** Numbers that grow. */
export class Column {
  #values = new Float64Array(16)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const more = new Float64Array(this.length * 2)
      more.set(this.#values)
      this.#values = more
    }
    this.#values[this.length++] = value
  }

  at(i: number): number {
    return this.#values[i]!
  }

  /** A view, valid until the next push. */
  view(): Float64Array {
    return this.#values.subarray(0, this.length)
  }
}

/** Changes of a series. */
export interface StoredSeries {
  readonly target: number
  readonly series: TelemetrySeries
  /** Sample number (of the target) of each change; NaN values mean that the series was gone. */
  readonly samples: Column
  readonly values: Column
  /** Histograms: `values` are counts; sums; and the changed buckets as a log: how many, then index and own count in turns. */
  readonly sums: Column
  readonly log: Column
  /** Start of each change in `log`. */
  readonly logAt: Column
}

export interface StoredTarget {
  readonly line: TargetLine
  /** Times of the samples, ns, ascending; when they were asked for, NaN if not known; intervals in force, ms. */
  readonly ns: Column
  readonly askedNs: Column
  readonly everyMs: Column
  /** 1 where something changed. */
  readonly changed: Column
  /** Sample taken at a border: `start 0` → number. */
  readonly borders: Map<string, number>
  readonly dropped: Record<string, number>
  failures: number
  lastError: string | undefined
}

export interface StoredSource {
  readonly head: HeadLine
  readonly targets: StoredTarget[]
  readonly series: StoredSeries[]
}

/** Reads a telemetry file; undefined when it has no head. */
export function readStore(path: string): StoredSource | undefined {
  let store: StoredSource | undefined
  for (const line of readLines(path)) {
    if ('telemetry' in line) store = { head: line, targets: [], series: [] }
    else if (!store) return undefined
    else if ('t' in line) addSample(store, line)
    else if ('series' in line) addSeries(store, line)
    else if ('target' in line) addTarget(store, line)
    else if ('failed' in line) addFailure(store, line)
  }
  return store
}

function addTarget(store: StoredSource, line: TargetLine): void {
  const column = (): Column => new Column()
  store.targets[line.target] = { line, ns: column(), askedNs: column(), everyMs: column(), changed: column(), borders: new Map(), dropped: {}, failures: 0, lastError: line.absent }
}

function addSeries(store: StoredSource, line: SeriesLine): void {
  const { bounds, ...is } = line.is
  const series: TelemetrySeries = bounds ? { ...is, bounds: [...bounds, Infinity] } : is
  store.series[line.series] = { target: line.of, series, samples: new Column(), values: new Column(), sums: new Column(), log: new Column(), logAt: new Column() }
}

function addFailure(store: StoredSource, line: FailureLine): void {
  const target = store.targets[line.failed]
  if (!target) return
  target.failures++
  target.lastError = line.error
}

function addSample(store: StoredSource, line: SampleLine): void {
  const target = store.targets[line.t]
  if (!target) return
  const number = target.ns.length
  target.ns.push(line.ns)
  target.askedNs.push(line.asked ?? Number.NaN)
  target.everyMs.push(line.every ?? target.line.intervalMs)
  target.changed.push(line.set || line.hist || line.gone || number === 0 ? 1 : 0)
  if (line.at) target.borders.set(`${line.at} ${line.phase}`, number)
  for (const name of line.dropped ?? []) target.dropped[name] = (target.dropped[name] ?? 0) + 1
  const set = line.set ?? []
  for (let i = 0; i < set.length; i += 2) {
    const series = store.series[set[i]!]
    series?.samples.push(number)
    series?.values.push(set[i + 1]!)
  }
  for (const id of line.gone ?? []) {
    const series = store.series[id]
    if (!series) continue
    series.samples.push(number)
    series.values.push(Number.NaN)
    series.sums.push(Number.NaN)
    series.logAt.push(series.log.length)
  }
  for (const [id, count, sum, ...buckets] of line.hist ?? []) {
    const series = store.series[id!]
    if (!series) continue
    series.samples.push(number)
    series.values.push(count!)
    series.sums.push(sum ?? Number.NaN)
    series.logAt.push(series.log.length)
    for (const n of buckets) series.log.push(n!)
  }
}
