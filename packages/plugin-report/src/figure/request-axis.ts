import type { JsonObject, PlotRun, RequestTable } from '@aiperf/core'
import { axisTitle } from './measure.js'
import { runEnd, timeAxis } from './time-axis.js'

/** What a chart of single requests puts on its x axis. */
export interface RequestAxis {
  at(index: number): number
  x: JsonObject
  title: string
}

/** `time`, `request_number` (in order of start), or a metric of single requests; undefined when the run lacks that metric. */
export async function requestAxis(run: PlotRun, name: string, fit: boolean): Promise<{ table: RequestTable; axis: RequestAxis } | undefined> {
  const table = await run.requests(['time', 'request_number', 'timestamp'].includes(name) ? [] : [name])
  if (!table) return undefined
  if (name === 'time' || name === 'timestamp') return { table, axis: { at: (i) => table.startSeconds[i]!, x: timeAxis('x', runEnd(table)), title: 'Start (s)' } }
  if (name === 'request_number') {
    const title = 'Request, in order of start'
    return { table, axis: { at: (i) => i, x: { field: 'x', type: 'quantitative', title, scale: { domain: [0, Math.max(1, table.count - 1)], nice: false }, axis: { tickMinStep: 1 } }, title } }
  }
  const column = table.values(name)
  if (!column) return undefined
  const title = axisTitle(run.metrics.get(name) ?? { header: name.replaceAll('_', ' '), unit: '' })
  return { table, axis: { at: (i) => column[i]!, x: { field: 'x', type: 'quantitative', title, scale: { zero: !fit, nice: true } }, title } }
}
