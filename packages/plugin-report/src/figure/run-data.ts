import type { Figure, MetricResult, NoFigure, PlotRun, PlotStyle, RequestTable } from '@aiperf/core'
import type { LoadedRun } from '../runs/loaded.js'
import { emptyFigure } from './empty.js'
import { counted } from './rows.js'

/** A metric of single requests, ready to draw. */
export interface RequestData {
  table: RequestTable
  column: Float64Array
  metric: Pick<MetricResult, 'header' | 'unit' | 'tag' | 'withheld'>
  /** Requests that have a value. */
  count: number
  failed: number
}

/** Per-request values of a metric; or the figure that says there are none, or why the run cannot have them. */
export async function requestData(run: PlotRun, tag: string, style: PlotStyle): Promise<RequestData | Figure | NoFigure> {
  const table = await run.requests([tag])
  if (!table) return { absent: 'only the summary of the run is there, no single requests' }
  const failed = failures(table)
  const subtitle = subtitleOf(run, table)
  if (table.count === 0) return emptyFigure('No request was sent in the profiling phase', style, subtitle)
  if (failed === table.count) return emptyFigure(`No request succeeded: ${counted(failed, 'failure')}`, style, subtitle)
  const column = table.values(tag)
  const known = run.metrics.get(tag)
  if (!column) return { absent: whyAbsent(run, tag) }
  return { table, column, metric: known ?? { tag, header: headerOf(run, tag), unit: '' }, count: column.reduce((n, value) => n + (Number.isNaN(value) ? 0 : 1), 0), failed }
}

export const isFigure = (value: object): value is Figure => 'spec' in value
export const isAbsent = (value: object): value is NoFigure => 'absent' in value

export const failures = (table: RequestTable): number => table.succeeded.reduce((n, ok) => n + (ok ? 0 : 1), 0)

/** Starts of the requests that failed, s. */
export const failedStarts = (table: RequestTable): number[] => Array.from(table.startSeconds).filter((_, i) => !table.succeeded[i])

/** Why a run has no values of a metric, in the run's own words where it has some. */
export function whyAbsent(run: PlotRun, tag: string): string {
  const reason = (run as Partial<LoadedRun>).about?.absent.find((a) => a.tag === tag)?.reason
  return reason === undefined ? `the run has no ${tag}` : `no ${tag}: ${reason}`
}

const headerOf = (run: PlotRun, tag: string): string => run.metrics.get(tag)?.header ?? tag.replaceAll('_', ' ')

/** `my-model · concurrency 16 · 449 requests, 1 failed`. */
export function subtitleOf(run: PlotRun, table?: RequestTable): string {
  const { model, concurrency, request_rate: rate, users } = run.facts
  const load = rate !== undefined ? `${String(rate)} requests/s` : users !== undefined ? `${String(users)} users` : concurrency !== undefined ? `concurrency ${String(concurrency)}` : undefined
  const failed = table ? failures(table) : 0
  const requests = table ? `${counted(table.count, 'request')}${failed > 0 ? `, ${failed.toLocaleString('en-US')} failed` : ''}` : undefined
  return [model, load, requests].filter((part) => part !== undefined && part !== '').join(' · ')
}
