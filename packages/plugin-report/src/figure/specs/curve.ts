import type { JsonObject, PlotStyle } from '@aiperf/core'
import { dashes } from '../dashes.js'
import { legendOf } from '../legend.js'
import { timeAxis } from '../time-axis.js'

export interface CurveRow {
  t: number
  v: number
}

export interface CurveInput {
  rows: readonly CurveRow[]
  title: string
  end: number
  /** A value holds until the next one; otherwise it changes evenly. */
  steps: boolean
  percent?: boolean
  color?: string
}

/** One curve over the run's time, filled. */
export function curveSpec({ rows, title, end, steps, percent, color }: CurveInput, style: PlotStyle): JsonObject {
  const line = color ?? style.series[0]!
  return {
    data: { values: rows.map(({ t, v }) => ({ t, v })) },
    mark: { type: 'area', interpolate: steps ? 'step-after' : 'linear', color: line, opacity: 0.25, line: { color: line, strokeWidth: 1.5 } },
    encoding: {
      x: timeAxis('t', end),
      // Two values at one time are a step, not parts of a sum.
      y: { field: 'v', type: 'quantitative', title, stack: null, scale: percent ? { domain: [0, 100] } : fromZero(rows), ...(rows.every(({ v }) => Number.isInteger(v)) ? { axis: { tickMinStep: 1 } } : {}) },
      tooltip: [{ field: 't', title: 'Time (s)', format: ',.4~r' }, { field: 'v', title, format: ',.4~r' }],
    },
  }
}

export interface LinesInput {
  lines: readonly { label: string; rows: readonly CurveRow[] }[]
  title: string
  end: number
  percent?: boolean
  /** They count things: no ticks between whole numbers. */
  whole?: boolean
}

/** From zero; a curve that is zero throughout lies on the axis. */
export const fromZero = (rows: readonly CurveRow[]): JsonObject => ({ zero: true, nice: true, ...(rows.every(({ v }) => v === 0) ? { domain: [0, 1] } : {}) })

/** Several curves over the run's time. */
export function linesSpec({ lines, title, end, percent, whole }: LinesInput, style: PlotStyle): JsonObject {
  const several = lines.length > 1
  const labels = lines.map(({ label }) => label)
  return {
    data: { values: lines.flatMap(({ label, rows }) => rows.map(({ t, v }) => ({ t, v, line: label }))) },
    mark: { type: 'line', strokeWidth: 1.8, ...(lines.some(({ rows }) => rows.length === 1) ? { point: true } : {}), ...(several ? {} : { color: style.series[0]! }) },
    encoding: {
      x: timeAxis('t', end),
      y: { field: 'v', type: 'quantitative', title, scale: percent ? { domain: [0, 100] } : fromZero(lines.flatMap(({ rows }) => rows)), ...(whole ? { axis: { tickMinStep: 1 } } : {}) },
      ...(several
        ? { color: { field: 'line', type: 'nominal', title: null, sort: labels, scale: { domain: labels }, legend: legendOf(labels) }, strokeDash: { field: 'line', type: 'nominal', title: null, scale: { domain: labels, range: dashes(labels.length) } } }
        : {}),
      tooltip: [{ field: 't', title: 'Time (s)', format: ',.4~r' }, ...(several ? [{ field: 'line', title: 'Series' }] : []), { field: 'v', title, format: ',.4~r' }],
    },
  }
}
