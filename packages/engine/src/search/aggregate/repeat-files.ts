import type { Json, JsonObject } from '@aiperf/core'
import { VERSION } from '../../control/version.js'
import type { RunRecord } from '../ledger.js'
import type { Combined, CombinedMetrics } from './combine.js'
import { csvBlock, fixed } from './csv.js'

/** What the files of repeated runs say besides the figures. */
export interface RepeatFacts {
  records: readonly RunRecord[]
  confidenceLevel: number
  cooldownSeconds: number
  /** Further keys of `metadata`: the point of a sweep, the width that convergence reached. */
  more: JsonObject
}

export const runLabel = (trial: number): string => `run_${String(trial + 1).padStart(4, '0')}`
export const failures = (records: readonly RunRecord[], label: (record: RunRecord) => string): JsonObject[] =>
  records.filter((r) => r.status !== 'ok').map((r) => ({ label: label(r), error: r.error ?? 'failed' }))

/** Of files: one statistic over the runs. */
const figures = ({ mean, std, min, max, cv, se, low, high, tCritical, unit }: Combined): JsonObject => ({ mean, std, min, max, cv: finite(cv), se, ci_low: low, ci_high: high, t_critical: tCritical ?? null, unit })
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

function metadataOf({ records, confidenceLevel, cooldownSeconds, more }: RepeatFacts): JsonObject {
  const successes = records.filter((r) => r.status === 'ok')
  return {
    aggregation_type: 'confidence',
    num_profile_runs: records.length,
    num_successful_runs: successes.length,
    failed_runs: failures(records, (r) => runLabel(r.trial)),
    confidence_level: confidenceLevel,
    run_labels: successes.map((r) => runLabel(r.trial)),
    ...(successes.length === 1 ? { single_run: true } : {}),
    cooldown_seconds: cooldownSeconds,
    ...more,
  }
}

/** `profile_export_aiperf_aggregate.json`. */
export function repeatJson(metrics: CombinedMetrics, facts: RepeatFacts): JsonObject {
  return { schema_version: '1.0', aiperf_version: VERSION, metadata: metadataOf(facts), metrics: Object.fromEntries([...metrics].sort(byKey).map(([key, combined]) => [key, figures(combined)])) }
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0)

/** `profile_export_aiperf_aggregate.csv`. */
export function repeatCsv(metrics: CombinedMetrics, facts: RepeatFacts): string {
  const rows = [...metrics].sort(byKey).map(([key, m]) => [key, fixed(m.mean), fixed(m.std), fixed(m.min), fixed(m.max), fixed(m.cv, 4), fixed(m.se, 4), fixed(m.low), fixed(m.high), m.tCritical === undefined ? '' : fixed(m.tCritical, 4), m.unit])
  const { aggregation_type, num_profile_runs, num_successful_runs, failed_runs, ...rest } = metadataOf(facts)
  const failed = failed_runs as JsonObject[]
  const shown: [string, Json][] = [
    ['Aggregation Type', aggregation_type!],
    ['Total Runs', num_profile_runs!],
    ['Successful Runs', num_successful_runs!],
    ...(failed.length > 0 ? [['Failed Runs', failed] as [string, Json]] : []),
    ...Object.entries(rest).map(([key, value]) => [titled(key), value] as [string, Json]),
  ]
  return csvBlock([['metric', 'mean', 'std', 'min', 'max', 'cv', 'se', 'ci_low', 'ci_high', 't_critical', 'unit'], ...rows]) + csvBlock([[], ...shown.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])])
}

/** `cooldown_seconds` → `Cooldown Seconds`. */
const titled = (key: string): string => key.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
