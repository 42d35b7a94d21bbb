import type { PlotRun } from '@aiperf/core'
import type { LoadedRun } from '../runs/loaded.js'
import { LOAD_FACTS } from '../runs/label.js'
import type { Measure } from './measure.js'
import { studentT } from './student.js'

/** A point of a comparison: one run, or the runs that were made at the same point of a sweep. */
export interface Point {
  runs: readonly PlotRun[]
  label: string
  group: string
  /** What orders the points of a group along a line: the load. */
  order: number
}

/** An estimate with its interval: of the mean over several runs, or what one run's own requests say. */
export interface Estimate {
  mean: number
  low?: number
  high?: number
  /** Values of the single runs. */
  values: readonly number[]
  /** How many runs the interval is over; 1: it is that of one run's own requests. */
  over: number
}

export interface Grouping {
  /** Facts whose values make one series. None: every run is its own. */
  groups: readonly string[]
  /** Facts shown beside each point. */
  labels: readonly string[]
}

const asList = (value: string | readonly string[] | undefined): readonly string[] => (value === undefined ? [] : typeof value === 'string' ? [value] : value)
export const asGrouping = (groups: string | readonly string[] | undefined, labels: string | readonly string[] | undefined): { groups: readonly string[] | undefined; labels: readonly string[] | undefined } =>
  ({ groups: groups === undefined ? undefined : asList(groups), labels: labels === undefined ? undefined : asList(labels) })

/** The facts that fit when none are asked for: all in which runs differ, load apart; the load beside the points. */
export function defaultGrouping(runs: readonly PlotRun[]): Grouping {
  const differs = (key: string): boolean => new Set(runs.map((run) => run.facts[key])).size > 1
  const isLoad = (key: string): boolean => (LOAD_FACTS as readonly string[]).includes(key)
  const keys = [...new Set(runs.flatMap((run) => Object.keys(run.facts)))].filter((key) => key !== 'run_name' && key !== 'experiment_group' && differs(key))
  const load = LOAD_FACTS.filter((key) => key !== 'request_count' && differs(key))
  return { groups: keys.filter((key) => !isLoad(key)), labels: load.length > 0 ? load : ['run_name'] }
}

export function pointsOf(runs: readonly PlotRun[], asked: Partial<Record<keyof Grouping, readonly string[] | undefined>>): Point[] {
  const standard = defaultGrouping(runs)
  const groups = asked.groups ?? standard.groups
  const labels = asked.labels ?? standard.labels
  const byPoint = new Map<string, PlotRun[]>()
  for (const run of runs) byPoint.get(run.point)?.push(run) ?? byPoint.set(run.point, [run])
  return [...byPoint.values()].map((trials) => {
    const { facts, name, label } = trials[0]!
    const said = (keys: readonly string[]): string => keys.flatMap((key) => (facts[key] === undefined || facts[key] === '' ? [] : [spoken(key, facts[key]!, keys.length)])).join(', ')
    const load = LOAD_FACTS.map((key) => facts[key]).find((value) => typeof value === 'number')
    return {
      runs: trials,
      group: groups.length === 0 ? (asked.groups ? name : '') : said(groups) || name,
      // The name of one of several runs would be taken for that run.
      label: trials.length > 1 && labels[0] === 'run_name' ? `${trials.length} runs` : said(labels) || label.replace(/ #\d+$/, ''),
      order: typeof load === 'number' ? load : Number.NaN,
    }
  })
}

/** One fact needs no name beside it: the note says what labels are. */
const spoken = (key: string, value: string | number | boolean, of: number): string => (of === 1 || key === 'model' || key === 'run_name' ? String(value) : `${key.replaceAll('_', ' ')} ${String(value)}`)

/** A statistic at a point: the mean over its runs. Undefined when no run has it. */
export function estimate(point: Point, { metric, stat }: Measure, level: number): Estimate | undefined {
  const values = point.runs.map((run) => run.metrics.get(metric)?.[stat]).filter((value): value is number => value !== undefined && Number.isFinite(value))
  const n = values.length
  if (n === 0) return undefined
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  if (n === 1) {
    const interval = point.runs[0]!.metrics.get(metric)?.intervals?.[stat]
    return { mean, values, over: (point.runs[0] as Partial<LoadedRun>).trials ?? 1, ...(interval ? { low: interval[0], high: interval[1] } : {}) }
  }
  const half = (studentT(level, n - 1) * Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1))) / Math.sqrt(n)
  return { mean, values, over: n, low: mean - half, high: mean + half }
}
