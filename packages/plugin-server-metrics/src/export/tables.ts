import type { ConsoleTable, RunResult, SeriesSummary, TelemetryResult } from '@aiperf/core'
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
        return shown ? [[figure.label, shown.avg, shown.min, shown.max, shown.p99, shown.p90, shown.p50, shown.std]] : []
      })
      return rows.length > 0 ? [{ title: `Server Metrics | ${server.name} | ${endpointName(name)}`, columns: COLUMNS, rows, ...note(series) }] : []
    })
  })
}

/** Where the windows are not bounded by scrapes at their borders, counts are estimates. */
function note(series: readonly SeriesSummary[]): Pick<ConsoleTable, 'after'> {
  const counted = series.filter((s) => s.counter ?? s.histogram)
  const exact = counted.every((s) => (s.counter ?? s.histogram)!.exact)
  return exact ? {} : { after: ['Scrapes are missing at a border of a phase: totals and rates are estimates.'] }
}
