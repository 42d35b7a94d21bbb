import { AiperfError, wholeScore, type Metric } from '@aiperf/core'
import { createHost, type PluginIndex } from '@aiperf/core/host'
import { summarise } from '../evaluate/statistics.js'
import { loadMetrics } from '../report/metrics.js'
import { statOf } from '../search/aggregate/combine.js'
import { compareManifests, type Difference } from './comparable.js'
import { loadSide, type ComparedCell, type ComparedRun } from './load.js'
import { compareRequests, compareRuns, holm, type Estimate } from './statistics.js'

/** `better` and `worse` than A; `same`: the same within the band; `inconclusive`: the runs cannot tell. */
export type Verdict = 'better' | 'worse' | 'same' | 'inconclusive'

export interface Row extends Estimate {
  tag: string
  stat: string
  unit: string
  largerIsBetter: boolean
  /** Corrected for the number of figures. */
  pCorrected: number | undefined
  verdict: Verdict
}

export interface CellComparison {
  values: ComparedCell['values']
  rows: Row[]
  runs: { a: string[]; b: string[] }
}

export interface Comparison {
  a: string
  b: string
  level: number
  /** Half width of the band within which two figures are the same in practice, as a share. */
  band: number
  cells: CellComparison[]
  /** Points that only one side has. */
  unmatched: { a: string[]; b: string[] }
  obstacles: Difference[]
  others: Difference[]
  /** Some point has one run on a side: nothing is known of how runs vary. */
  singleRuns: boolean
}

export interface CompareOptions {
  index: PluginIndex
  level: number
  band: number
  /** `tag:stat`; the usual ones when not given. */
  metrics?: readonly { tag: string; stat: string }[]
  /** Compare in spite of obstacles; they are listed. */
  force: boolean
  warn(message: string): void
}

/** What is compared unless somebody says otherwise, where both sides have it. */
const USUAL = [
  ['request_throughput', 'avg'], ['output_token_throughput', 'avg'], ['goodput', 'avg'],
  ['time_to_first_token', 'p50'], ['time_to_first_token', 'p95'], ['time_to_first_token', 'p99'],
  ['inter_token_latency', 'p50'], ['inter_token_latency', 'p95'],
  ['request_latency', 'p50'], ['request_latency', 'p95'], ['request_latency', 'p99'],
  ['request_error_rate', 'avg'], ['accuracy.overall', 'avg'],
] as const

/** Compares two folders of results, point by point and figure by figure. Throws when they are not comparable. */
export async function compare(a: string, b: string, options: CompareOptions): Promise<Comparison> {
  const host = createHost(options.index)
  const metrics = await loadMetrics(host, options.warn)
  const [one, two] = [await loadSide(a, host, metrics), await loadSide(b, host, metrics)]
  const pairs = matched(one, two)
  if (pairs.length === 0) throw new AiperfError('E_NOT_COMPARABLE', `${a} and ${b} have no point in common: ${points(one)} against ${points(two)}.`)
  const found = pairs.map(([x, y]) => compareManifests(x.runs, y.runs))
  const obstacles = distinct(found.flatMap((f) => f.obstacles))
  if (obstacles.length > 0 && !options.force)
    throw new AiperfError('E_NOT_COMPARABLE', `${a} and ${b} measured different things: ${obstacles.slice(0, MOST_SHOWN).map(shown).join('; ')}${obstacles.length > MOST_SHOWN ? `; and ${obstacles.length - MOST_SHOWN} more` : ''}.`, {
      hint: 'Run both with the same options and seeds, or compare them all the same with --force.',
    })
  const cells: CellComparison[] = []
  for (const [x, y] of pairs) cells.push({ values: x.values, rows: await rowsOf(x, y, metrics, options), runs: { a: x.runs.map((r) => r.directory), b: y.runs.map((r) => r.directory) } })
  correct(cells, options)
  return {
    a, b, level: options.level, band: options.band, cells, obstacles,
    others: distinct(found.flatMap((f) => f.others)),
    unmatched: { a: one.filter((c) => !pairs.some(([x]) => x === c)).map((c) => c.key), b: two.filter((c) => !pairs.some(([, y]) => y === c)).map((c) => c.key) },
    singleRuns: pairs.some(([x, y]) => x.runs.length < 2 || y.runs.length < 2),
  }
}

const MOST_SHOWN = 6
export const shown = ({ path, a, b }: Difference): string => `${path} is ${JSON.stringify(a)} and ${JSON.stringify(b)}`
const points = (cells: readonly ComparedCell[]): string => cells.map((c) => c.key || 'one run').join('; ')
const distinct = (all: readonly Difference[]): Difference[] => [...new Map(all.map((d) => [JSON.stringify(d), d])).values()]

/** Points of the same values; two folders with one point each are compared whatever it is called. */
function matched(a: readonly ComparedCell[], b: readonly ComparedCell[]): [ComparedCell, ComparedCell][] {
  if (a.length === 1 && b.length === 1) return [[a[0]!, b[0]!]]
  return a.flatMap((cell) => {
    const other = b.find((c) => c.key === cell.key)
    return other ? [[cell, other] as [ComparedCell, ComparedCell]] : []
  })
}

async function rowsOf(a: ComparedCell, b: ComparedCell, metrics: readonly Metric[], { metrics: asked, level }: CompareOptions): Promise<Row[]> {
  const wanted = asked ?? USUAL.map(([tag, stat]) => ({ tag, stat }))
  const rows: Row[] = []
  for (const { tag, stat } of wanted) {
    const of = (runs: readonly ComparedRun[]) => runs.flatMap((run) => (run.metrics.get(tag)?.withheld?.[stat as 'p99'] ? [] : (statOf(run.metrics.get(tag), stat) ?? [])))
    const [x, y] = [of(a.runs), of(b.runs)]
    if (x.length === 0 || y.length === 0) {
      if (asked) throw new AiperfError('E_NOT_COMPARABLE', `${tag} ${stat} is missing on ${x.length === 0 ? 'the first' : 'the second'} side${a.runs.some((r) => r.metrics.has(tag)) ? ': too few requests carry it' : ''}.`)
      continue
    }
    const metric = metrics.find((m) => m.tag === wholeScore(tag))
    const estimate = x.length > 1 && y.length > 1 ? compareRuns(x, y, level) : await withinRuns(a.runs[0]!, b.runs[0]!, tag, stat, { a: x[0]!, b: y[0]! }, level)
    rows.push({ ...estimate, tag, stat, unit: a.runs[0]!.metrics.get(tag)!.unit, largerIsBetter: metric?.largerIsBetter === true, pCorrected: undefined, verdict: 'inconclusive' })
  }
  return rows
}

async function withinRuns(a: ComparedRun, b: ComparedRun, tag: string, stat: string, values: { a: number; b: number }, level: number): Promise<Estimate> {
  const statistic = (sample: Float64Array) => (sample.length === 0 ? Number.NaN : (summarise(sample, sample.length).statistics[stat as 'p50'] ?? Number.NaN))
  return compareRequests(await a.sample(tag), await b.sample(tag), statistic, values, level)
}

/** Corrects the p-values of all figures together, and says what each means. */
function correct(cells: readonly CellComparison[], { level, band }: CompareOptions): void {
  const tested = cells.flatMap((cell) => cell.rows).filter((row) => row.p !== undefined)
  const corrected = holm(tested.map((row) => row.p!))
  for (const [i, row] of tested.entries()) row.pCorrected = corrected[i]!
  for (const row of cells.flatMap((cell) => cell.rows)) row.verdict = verdictOf(row, level, band)
}

function verdictOf(row: Row, level: number, band: number): Verdict {
  const [inner, outer] = row.isRatio ? [1 / (1 + band), 1 + band] : [-band * Math.abs(row.a), band * Math.abs(row.a)]
  // Chance among the requests of one run says nothing of the next.
  if (row.covers === 'requests') return 'inconclusive'
  if (row.a === row.b && row.low === row.high) return 'same'
  if (row.narrowLow >= inner && row.narrowHigh <= outer) return 'same'
  const isClear = row.pCorrected !== undefined && row.pCorrected < 1 - level && (row.ratio < inner || row.ratio > outer)
  if (!isClear) return 'inconclusive'
  const isMore = row.isRatio ? row.ratio > 1 : row.ratio > 0
  return isMore === row.largerIsBetter ? 'better' : 'worse'
}
