import { STATISTICS, type MetricResult } from '@aiperf/core'
import { quantile, sortedValues } from '../figure/quantiles.js'
import { short } from '../figure/rows.js'
import type { LoadedRun } from '../runs/loaded.js'
import type { ComparedRun, ComparisonPageData } from './page-data.js'

/** Metrics of single requests whose distributions a comparison shows. */
const DISTRIBUTED = ['time_to_first_token', 'inter_token_latency', 'request_latency']

/** What a page holds of several runs. */
export async function comparisonData(runs: readonly LoadedRun[]): Promise<ComparisonPageData> {
  return { kind: 'comparison', runs: await Promise.all(runs.map(compared)) }
}

async function compared(run: LoadedRun): Promise<ComparedRun> {
  const { label, name, point, facts } = run
  const metrics = [...run.metrics.values()]
  return {
    label, name, point, facts,
    verdict: run.about.verdict?.verdict ?? 'none',
    metrics: metrics.map(slim),
    larger: metrics.filter(({ tag }) => run.largerIsBetter(tag)).map(({ tag }) => tag),
    quantiles: await quantilesOf(run),
  }
}

const slim = ({ tag, header, unit, group, order, kind, intervals, withheld, ...rest }: MetricResult): MetricResult => ({
  tag, header, unit, group, kind, ...(order === undefined ? {} : { order }), ...(intervals ? { intervals } : {}), ...(withheld ? { withheld } : {}),
  ...Object.fromEntries(STATISTICS.flatMap((stat) => (rest[stat] === undefined ? [] : [[stat, rest[stat]]]))),
})

async function quantilesOf(run: LoadedRun): Promise<Record<string, number[]>> {
  const table = await run.requests(DISTRIBUTED)
  return Object.fromEntries(DISTRIBUTED.flatMap((tag) => {
    const column = table?.values(tag)
    if (!column) return []
    const sorted = sortedValues(column)
    return [[tag, Array.from({ length: 101 }, (_, i) => short(quantile(sorted, i / 100)))]]
  }))
}
