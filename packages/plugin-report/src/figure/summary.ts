import type { RequestTable } from '@aiperf/core'
import { averaged, requestsInFlight, tokenRate, type StepCurve } from './curves.js'
import { bucketOf, packed, type Counts } from './log-histogram.js'
import { short } from './rows.js'
import { runEnd } from './time-axis.js'
import { LEAST_PER_BIN, timeBins } from './time-bins.js'

/** A metric of single requests on a page. */
export interface PageMetric {
  tag: string
  /** Title of an axis, with the unit. */
  title: string
  unit: string
}

/** Requests as columns, short as JSON. `null`: no value. */
export interface PagePoints {
  /** Number of each request, in order of start. */
  n: number[]
  start: number[]
  end: number[]
  /** Requests in flight when it started, itself included. */
  inFlight: number[]
  /** Index into `errors`; 0: none. */
  error: number[]
  session: number[]
  turn: number[]
  id: string[]
  values: Record<string, (number | null)[]>
}

/** Time bins of a long run. A bin's columns hold `null` where too few requests started in it. */
export interface PageBins {
  width: number
  started: number[]
  failed: number[]
  quantiles: Record<string, Record<(typeof QUANTILES)[number], (number | null)[]>>
  /** Packed logarithmic histograms, one per bin. */
  histograms: Record<string, number[][]>
}

export interface Curve {
  t: number[]
  v: number[]
}

/** What a page holds of the requests of one run. */
export interface RunSummary {
  count: number
  failed: number
  /** End of the last request, s. */
  end: number
  metrics: PageMetric[]
  errors: string[]
  /** Every request; or, with `bins`, those that stick out and a choice of the others. */
  points: PagePoints
  bins?: PageBins
  curves: { inFlight: Curve; tokenRate?: Curve; requestRate: Curve }
}

export const QUANTILES = ['p10', 'p25', 'p50', 'p75', 'p90', 'p99', 'max'] as const
/** Up to so many requests are held one by one. */
const MOST_EXACT = 4000
const BINS = 200
const SAMPLE = 1200
const MOST_FAILURES = 300
/** Of each metric: the largest of each bin, and this many of the whole run. */
const LARGEST = 120

/** Makes a run's requests fit on a page. */
export function summarise(table: RequestTable, metrics: readonly PageMetric[], exactUpTo = MOST_EXACT): RunSummary {
  const { count } = table
  const end = runEnd(table)
  const present = metrics.filter(({ tag }) => table.values(tag) !== undefined)
  const failures = Array.from({ length: count }, (_, i) => i).filter((i) => !table.succeeded[i])
  const errors = ['', ...new Set(failures.map((i) => table.error(i)))]
  const inFlight = startedInto(table)
  const exact = count <= exactUpTo
  const chosen = exact ? Array.from({ length: count }, (_, i) => i) : outstanding(table, present, failures)
  const tokens = tokenRate(table)
  return {
    count,
    failed: failures.length,
    end: short(end),
    metrics: [...present],
    errors,
    points: pointsOf(table, chosen, present, inFlight, errors),
    ...(exact ? {} : { bins: binsOf(table, present, end) }),
    curves: {
      inFlight: curve(requestsInFlight(table), end),
      ...(tokens ? { tokenRate: curve(tokens, end) } : {}),
      requestRate: completions(table, end),
    },
  }
}

/** Whether any session has a turn after its first. */
export const severalTurns = ({ turn }: PagePoints): boolean => turn.some((n) => n > 0)

/** Requests in flight right after each start. */
function startedInto(table: RequestTable): Uint32Array {
  const ends = Float64Array.from(table.endSeconds).sort()
  let ended = 0
  return Uint32Array.from(table.startSeconds, (start, i) => {
    while (ended < ends.length && ends[ended]! <= start) ended++
    return Math.max(1, i + 1 - ended)
  })
}

/** Failures, the largest of each bin and of the run in each metric, and an even choice of the others. */
function outstanding(table: RequestTable, metrics: readonly PageMetric[], failures: readonly number[]): number[] {
  const { count } = table
  const chosen = new Set<number>(Array.from({ length: SAMPLE }, (_, k) => Math.floor(((k + 0.5) * count) / SAMPLE)))
  const step = Math.max(1, Math.ceil(failures.length / MOST_FAILURES))
  for (let k = 0; k < failures.length; k += step) chosen.add(failures[k]!)
  const last = table.startSeconds[count - 1] || 1
  for (const { tag } of metrics) {
    const column = table.values(tag)!
    const best = new Int32Array(BINS).fill(-1)
    for (let i = 0; i < count; i++) {
      const bin = Math.min(BINS - 1, Math.floor((table.startSeconds[i]! / last) * BINS))
      if (!Number.isNaN(column[i]!) && (best[bin] === -1 || column[i]! > column[best[bin]!]!)) best[bin] = i
    }
    for (const i of best) if (i >= 0) chosen.add(i)
    for (const i of largest(column, LARGEST)) chosen.add(i)
  }
  return [...chosen].sort((a, b) => a - b)
}

/** Indexes of the `most` largest values. */
function largest(column: Float64Array, most: number): number[] {
  const sorted = column.filter((v) => !Number.isNaN(v)).sort()
  const limit = sorted[Math.max(0, sorted.length - most)] ?? Infinity
  const found: number[] = []
  for (let i = 0; i < column.length && found.length < 2 * most; i++) if (column[i]! >= limit) found.push(i)
  return found
}

function pointsOf(table: RequestTable, chosen: readonly number[], metrics: readonly PageMetric[], inFlight: Uint32Array, errors: readonly string[]): PagePoints {
  const numbers = new Map(errors.map((error, i) => [error, i]))
  const time = (seconds: number): number => Math.round(seconds * 1e5) / 1e5
  return {
    n: [...chosen],
    start: chosen.map((i) => time(table.startSeconds[i]!)),
    end: chosen.map((i) => time(table.endSeconds[i]!)),
    inFlight: chosen.map((i) => inFlight[i]!),
    error: chosen.map((i) => (table.succeeded[i] ? 0 : (numbers.get(table.error(i)) ?? 0))),
    session: chosen.map((i) => table.session[i]!),
    turn: chosen.map((i) => table.turn[i]!),
    id: chosen.map((i) => table.id(i)),
    values: Object.fromEntries(metrics.map(({ tag }) => {
      const column = table.values(tag)!
      return [tag, chosen.map((i) => (Number.isNaN(column[i]!) ? null : short(column[i]!)))]
    })),
  }
}

function binsOf(table: RequestTable, metrics: readonly PageMetric[], end: number): PageBins {
  const width = end / BINS
  const binOf = (i: number): number => Math.min(BINS - 1, Math.max(0, Math.floor(table.startSeconds[i]! / width)))
  const started = new Array<number>(BINS).fill(0)
  const failed = new Array<number>(BINS).fill(0)
  for (let i = 0; i < table.count; i++) {
    started[binOf(i)]!++
    if (!table.succeeded[i]) failed[binOf(i)]!++
  }
  const quantiles: PageBins['quantiles'] = {}
  const histograms: PageBins['histograms'] = {}
  for (const { tag } of metrics) {
    const column = table.values(tag)!
    const counts: Counts[] = Array.from({ length: BINS }, () => new Map())
    for (let i = 0; i < table.count; i++) {
      if (Number.isNaN(column[i]!)) continue
      const at = counts[binOf(i)]!
      const bucket = bucketOf(column[i]!)
      at.set(bucket, (at.get(bucket) ?? 0) + 1)
    }
    histograms[tag] = counts.map(packed)
    const found = new Map(timeBins(table.startSeconds, column, width, end).map((bin) => [Math.round(bin.from / width), bin]))
    quantiles[tag] = Object.fromEntries(QUANTILES.map((q) => [q, started.map((n, b) => (n < LEAST_PER_BIN || !found.has(b) ? null : short(found.get(b)![q])))])) as PageBins['quantiles'][string]
  }
  return { width, started, failed, quantiles, histograms }
}

function curve(steps: StepCurve, end: number): Curve {
  if (steps.seconds.length <= 2 * BINS) return { t: Array.from(steps.seconds, short), v: Array.from(steps.values, short) }
  const bins = averaged(steps, end, BINS)
  return { t: [...bins.map((b) => short(b.from)), short(end)], v: [...bins.map((b) => short(b.value)), short(bins.at(-1)!.value)] }
}

/** Requests that ended well, per second, over equal stretches. */
function completions(table: RequestTable, end: number): Curve {
  const bins = Math.max(1, Math.min(BINS / 2, Math.floor(table.count / 8)))
  const width = end / bins
  const counts = new Array<number>(bins).fill(0)
  for (let i = 0; i < table.count; i++) if (table.succeeded[i]) counts[Math.min(bins - 1, Math.floor(table.endSeconds[i]! / width))]!++
  return { t: [...counts.map((_, i) => short(i * width)), short(end)], v: [...counts.map((n) => short(n / width)), short((counts.at(-1) ?? 0) / width)] }
}
