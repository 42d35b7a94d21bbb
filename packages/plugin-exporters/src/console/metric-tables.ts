import type { Metric, MetricResult, PhaseResult, RunResult, Statistics } from '@aiperf/core'
import { readable, unitText } from '@aiperf/core/numbers'
import { metricName as nameInFiles } from '../summary/csv-text.js'
import { isScalar } from '../summary/metric-object.js'
import { acceptance } from '../summary/tally.js'
import { fits, type Column, type Table } from './table.js'
import type { Style } from './style.js'

/** Columns in reading order; on a narrow terminal those with the highest number go first. */
const STATISTICS = [['avg'], ['min', 5], ['max', 4], ['p99'], ['p90', 2], ['p50', 1], ['std', 6]] as const satisfies readonly (readonly [keyof Statistics, number?])[]

const GROUPS = [
  { group: 'default', title: '', when: () => true },
  { group: 'http', title: 'HTTP Trace Timing', when: (run: RunResult, verbose: boolean) => verbose || run.output.showTraceTiming },
  { group: 'spec-decode', title: 'Speculative Decoding', when: () => true },
  { group: 'power', title: 'Power Efficiency', when: () => true },
  { group: 'usage', title: 'Usage', when: (_: RunResult, verbose: boolean) => verbose },
  { group: 'effective', title: 'Effective', when: (_: RunResult, verbose: boolean) => verbose },
  { group: 'active', title: 'Active', when: (_: RunResult, verbose: boolean) => verbose },
] as const

export interface MetricTableOptions {
  width: number
  verbose: boolean
  style: Style
}

/** One table per group of metrics that has any: the main one first. */
export function metricTables(run: RunResult, phase: PhaseResult, options: MetricTableOptions): Table[] {
  // How many failed stands in the headline, and what failed has a table of its own.
  const ofFailures = new Set(run.metrics.filter((metric) => metric.kind !== 'derived' && metric.records === 'error').map((metric) => metric.tag))
  const all = [...phase.metrics.values()].filter((metric) => !ofFailures.has(metric.tag))
  const tables: Table[] = []
  const add = (title: string, metrics: readonly MetricResult[]) => {
    if (metrics.length > 0) tables.push(metricTable(run, title, metrics, options))
  }
  for (const { group, title, when } of GROUPS) if (when(run, options.verbose)) add(title, all.filter((metric) => metric.group === group && !metric.internal))
  if (run.output.internalMetrics) add('Internal', all.filter((metric) => metric.internal))
  return tables
}

function metricTable(run: RunResult, title: string, metrics: readonly MetricResult[], { width, style }: MetricTableOptions): Table {
  const ordered = metrics.toSorted((a, b) => (a.order ?? Number.MAX_VALUE) - (b.order ?? Number.MAX_VALUE))
  const used = STATISTICS.filter(([name]) => name === 'avg' || ordered.some((metric) => cell(metric, name) !== ''))
  const definitions = new Map(run.metrics.map((metric) => [metric.tag, metric]))
  const table = (label: (metric: MetricResult) => string): Table => ({
    title: `AIPerf | ${run.manifest.endpoint.metricsTitle}${title === '' ? '' : `: ${title}`}`,
    columns: [
      { header: 'Metric', align: 'left', shrinkTo: 26 },
      ...used.map(([name, dropOrder]): Column => ({ header: name, align: 'right', ...(dropOrder === undefined ? {} : { dropOrder }) })),
    ],
    rows: ordered.map((metric) => [label(metric), ...used.map(([name]) => cell(metric, name) || '–')]),
    paint: (text, _, column) => (column > 0 && /–|n</.test(text) ? style.dim(text) : text),
  })
  const long = table(metricName)
  return fits(long, width) ? long : table((metric) => shortName(metric, definitions))
}

/** Accepted draft tokens from this number on stand in one share. */
const ACCEPTED_CAP = 8

/** How many draft tokens the steps of speculative decoding accepted, in shares of the steps; nothing without reports. */
export function acceptanceLine(phase: PhaseResult): string {
  const tally = acceptance(phase)
  const total = tally?.reduce((sum, count) => sum + count, 0) ?? 0
  if (total === 0) return ''
  const capped = tally!.slice(0, ACCEPTED_CAP)
  if (tally!.length > ACCEPTED_CAP) capped.push(tally!.slice(ACCEPTED_CAP).reduce((sum, count) => sum + count, 0))
  const shares = capped.map((count, accepted) => `${accepted === ACCEPTED_CAP ? '>=' : ''}${accepted}: ${Math.round((100 * count) / total)}%`)
  return `Accepted drafts per step (% of steps): ${shares.join(' · ')}`
}

/** The name for narrow terminals. Rows that count failures as infinitely slow (`adj_…`) are named after the metric they adjust. */
function shortName(metric: MetricResult, definitions: ReadonlyMap<string, Metric>): string {
  const own = definitions.get(metric.tag)
  if (own?.shortHeader !== undefined) return own.shortHeaderHidesUnit ? own.shortHeader : metricName({ ...metric, header: own.shortHeader })
  const adjusted = own === undefined && metric.tag.startsWith('adj_') ? definitions.get(metric.tag.slice('adj_'.length))?.shortHeader : undefined
  return adjusted === undefined ? metricName(metric) : metricName({ ...metric, header: `${adjusted} adj.` })
}

/** The name with the unit as people write it. */
const metricName = (metric: MetricResult): string => nameInFiles({ ...metric, unit: unitText(metric.unit) })

/** A statistic as shown: what the sample cannot carry is not, but how many values it would take. */
export function cell(metric: MetricResult, name: keyof Statistics): string {
  if (isScalar(metric) && name !== 'avg') return ''
  const needed = metric.withheld?.[name]
  if (needed !== undefined) return `n<${readable(needed)}`
  const value = metric[name]
  return value === undefined ? '' : readable(value)
}
