import type { ConsoleTable, RunResult, SeriesSummary, TelemetryResult } from '@aiperf/core'
import { brief } from '@aiperf/core/numbers'
import { readFigure } from '../families/figures.js'
import { serversOf } from '../families/servers.js'
import { endpointName, windowsOf } from './run.js'

const COLUMNS = ['Metric', 'avg', 'min', 'max', 'p99', 'p90', 'p50', 'std']

/** A table per server that is known by its metrics: what ran, what waited, how full the cache was. */
export function tables(run: RunResult, result: TelemetryResult): ConsoleTable[] {
  const all = result.summarise(windowsOf(run, 'profiling'))
  return result.targets.flatMap(({ name }, target) => {
    const series = all.filter((summary) => summary.target === target)
    return serversOf(series.map((summary) => summary.series.name)).flatMap((server): ConsoleTable[] => {
      const rows = server.figures.flatMap((figure) => {
        const shown = readFigure(figure, series)
        if (!shown) return []
        const percentile = (value: number | undefined): number | string | undefined => (shown.estimated && value !== undefined ? `~${brief(value)}` : value)
        return [[figure.label, shown.avg, shown.min, shown.max, percentile(shown.p99), percentile(shown.p90), percentile(shown.p50), shown.std]]
      })
      return rows.length > 0 ? [{ title: `Server Metrics | ${server.name} | ${endpointName(name)}`, columns: COLUMNS, rows, after: notes(series, rows) }] : []
    })
  })
}

/** What the numbers are not: exact, where buckets or windows without scrapes at their borders stand behind them. */
function notes(series: readonly SeriesSummary[], rows: ConsoleTable['rows']): string[] {
  const counted = series.filter((s) => s.counter ?? s.histogram)
  const exact = counted.every((s) => (s.counter ?? s.histogram)!.exact)
  const estimated = rows.some((row) => row.some((cell) => typeof cell === 'string' && cell.startsWith('~')))
  return [...(estimated ? ['~: estimated from the buckets of a histogram'] : []), ...(exact ? [] : ['Scrapes are missing at a border of a phase: totals and rates are estimates.'])]
}
