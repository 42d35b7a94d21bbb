import type { JsonObject, PlotStyle, RequestTable } from '@aiperf/core'
import { logTicks } from './log-ticks.js'
import { lastEnd } from './time-bins.js'
import { short } from './rows.js'

/** `x` of charts over time. `end`: where the run ends, s. */
export const timeAxis = (field: string, end: number): JsonObject => ({ field, type: 'quantitative', title: 'Time since the first request (s)', scale: { domain: [0, end > 0 ? short(end) : 1], nice: false, clamp: true } })

export const runEnd = (table: RequestTable): number => {
  const end = lastEnd(table)
  return Number.isFinite(end) && end > 0 ? end : 1
}

/** A `y` that begins at 0, or a logarithmic one where few values tower over all others. */
export function valueAxis(field: string, title: string, sorted: Float64Array, fit = false): { y: JsonObject; log: boolean } {
  const top = sorted.at(-1) ?? 0
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  const least = sorted[0] ?? 0
  const log = !fit && least > 0 && top > 40 * middle
  return { log, y: { field, type: 'quantitative', title, scale: log ? { type: 'log', nice: true } : { zero: !fit, nice: true }, ...(log ? { axis: { values: logTicks(least, top), format: ',~r' } } : {}) } }
}

export const LOG_NOTE = 'The value axis is logarithmic: a few values are more than 40 times the median.'

/** Ticks on the time axis where requests failed, and what to say of them. */
export function failureTicks(starts: readonly number[], style: PlotStyle, end: number): { layers: JsonObject[]; notes: string[] } {
  if (starts.length === 0) return { layers: [], notes: [] }
  const step = Math.max(1, Math.ceil(starts.length / MOST_TICKS))
  return {
    layers: [{
      data: { values: starts.filter((_, i) => i % step === 0).map((t) => ({ t: short(t) })) },
      mark: { type: 'rule', color: style.bad, strokeWidth: 1.6, opacity: 0.85, clip: false },
      encoding: { x: timeAxis('t', end), y: { value: 'height' }, y2: { value: { expr: 'height - 9' } } },
    }],
    notes: [`Red ticks on the time axis: ${starts.length === 1 ? 'the start of the request that failed' : `starts of the ${starts.length.toLocaleString('en-US')} requests that failed`}.`],
  }
}
const MOST_TICKS = 400
