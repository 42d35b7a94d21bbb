import type { Constraint, Json, JsonObject, Objective, Point } from '@aiperf/core'
import type { RunRecord } from '../ledger.js'
import { parameterNames } from '../points/names.js'
import type { Combined, CombinedMetrics } from './combine.js'
import { csvBlock, fixed } from './csv.js'
import { best, keeps, paretoFront, standardAxes, valueOf } from './front.js'
import { failures, finite } from './repeat-files.js'

/** A point with what its runs gave together. */
export interface SweepPoint {
  folder: string
  name?: string
  values: Point
  metrics: CombinedMetrics
  records: readonly RunRecord[]
}

export interface SweepFacts {
  order: 'repeated' | 'independent'
  confidenceLevel: number
  trials: number
  constraints: readonly Constraint[]
  pareto?: readonly Objective[]
}

/** What a sweep comes to. */
export interface SweepSummary {
  points: readonly SweepPoint[]
  axes: readonly Objective[]
  front: readonly SweepPoint[]
  best: { name: 'best_throughput' | 'best_latency_p99'; point: SweepPoint; value: number; unit: string }[]
  /** Points that keep every limit; undefined: there are none to keep. */
  feasible: readonly SweepPoint[] | undefined
}

/** Best and Pareto points, of those that keep the limits. None of them does: none is best. */
export function summariseSweep(points: readonly SweepPoint[], { constraints, pareto }: SweepFacts): SweepSummary {
  const axes = pareto ?? standardAxes(points.map((p) => p.metrics))
  const feasible = constraints.length > 0 ? points.filter((p) => keeps(p.metrics, constraints)) : undefined
  const candidates = feasible ?? points
  const front = paretoFront(candidates, axes, (p, objective) => valueOf(p.metrics, objective))
  const [throughput, latency] = standardAxes(points.map((p) => p.metrics)) as [Objective, Objective]
  const named = ([['best_throughput', throughput], ['best_latency_p99', latency]] as const).flatMap(([name, objective]) => {
    const point = best(candidates, objective, (p) => valueOf(p.metrics, objective))
    const combined = point?.metrics.get(`${objective.tag}_${objective.stat}`)
    return point && combined ? [{ name, point, value: combined.mean, unit: combined.unit }] : []
  })
  return { points, axes, front, best: named, feasible }
}

const figures = ({ mean, std, min, max, cv, low, high, unit }: Combined): JsonObject => ({ mean, std, min, max, cv: finite(cv), ci_low: low, ci_high: high, unit })

/** `profile_export_aiperf_sweep.json`. One shape of metrics for any number of runs: `<tag>_<stat>` with its interval. */
export function sweepJson(summary: SweepSummary, facts: SweepFacts): JsonObject {
  const { points } = summary
  const paths = [...new Set(points.flatMap((p) => Object.keys(p.values)))]
  const names = parameterNames(paths)
  const parameters = (p: SweepPoint): JsonObject => ({ ...(p.name === undefined ? {} : { name: p.name }), ...Object.fromEntries(Object.entries(p.values).map(([path, value]) => [names.get(path)!, value])) })
  const records = points.flatMap((p) => p.records)
  return {
    aggregation_type: 'sweep',
    num_profile_runs: records.length,
    num_successful_runs: records.filter((r) => r.status === 'ok').length,
    failed_runs: points.flatMap((p) => failures(p.records, (r) => (facts.trials > 1 ? `${p.folder} run ${r.trial + 1}` : p.folder))),
    metadata: {
      sweep_parameters: paths.map((path) => ({ name: names.get(path)!, values: distinct(points.flatMap((p) => (path in p.values ? [p.values[path]!] : []))) })),
      num_combinations: points.length,
      sweep_mode: facts.order,
      confidence_level: facts.confidenceLevel,
      num_trials_per_value: facts.trials,
      ...(facts.constraints.length > 0 ? { sla_constraints: facts.constraints.map(limitJson), num_feasible: summary.feasible?.length ?? 0 } : {}),
      ...(facts.pareto ? { pareto_axes: facts.pareto.map(({ tag, stat, direction }) => ({ metric: tag, stat, direction })) } : {}),
      aggregation_type: 'sweep',
    },
    per_combination_metrics: points.map((p) => ({ parameters: parameters(p), metrics: Object.fromEntries([...p.metrics].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, m]) => [key, figures(m)])) })),
    best_configurations: Object.fromEntries(summary.best.map(({ name, point, value, unit }) => [name, { parameters: parameters(point), metric: value, unit }])),
    pareto_optimal: summary.front.map(parameters),
  }
}

export const limitJson = ({ tag, stat, op, threshold }: Constraint): JsonObject => ({ metric: tag, stat, op: OPERATOR_NAMES[op], threshold })
const OPERATOR_NAMES: Record<Constraint['op'], string> = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '==': 'eq' }

function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

/** `profile_export_aiperf_sweep.csv`: a row per point, then the best, the front, and what it was made of. */
export function sweepCsv(summary: SweepSummary): string {
  const { points, front } = summary
  const names = parameterNames([...new Set(points.flatMap((p) => Object.keys(p.values)))])
  const named = points.some((p) => p.name !== undefined)
  const header = [...(named ? ['name'] : []), ...names.values()]
  const cells = (p: SweepPoint): string[] => [...(named ? [p.name ?? ''] : []), ...[...names.keys()].map((path) => plain(p.values[path]))]
  const keys = [...new Set(points.flatMap((p) => [...p.metrics.keys()]))].sort()
  const row = (p: SweepPoint): string[] => keys.flatMap((key) => {
    const m = p.metrics.get(key)
    return m ? [fixed(m.mean), fixed(m.std), fixed(m.min), fixed(m.max), fixed(m.cv, 4)] : ['', '', '', '', '']
  })
  const records = points.flatMap((p) => p.records)
  return (
    csvBlock([[...header, ...keys.flatMap((key) => ['mean', 'std', 'min', 'max', 'cv'].map((s) => `${key}_${s}`))], ...points.map((p) => [...cells(p), ...row(p)])]) +
    csvBlock([[], ['Best Configurations'], ['Configuration', ...header, 'Metric', 'Unit'], ...summary.best.map(({ name, point, value, unit }) => [name === 'best_throughput' ? 'Best Throughput' : 'Best Latency P99', ...cells(point), fixed(value), unit])]) +
    csvBlock([[], ['Pareto Optimal Points'], ...(front.length > 0 ? [header, ...front.map(cells)] : [['None']])]) +
    csvBlock([[], ['Metadata'], ['Field', 'Value'], ['Aggregation Type', 'sweep'], ['Sweep Parameters', header.join(', ')], ['Number of Combinations', String(points.length)], ['Number of Profile Runs', String(records.length)], ['Number of Successful Runs', String(records.filter((r) => r.status === 'ok').length)]])
  )
}

const plain = (value: Json | undefined): string => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value))
