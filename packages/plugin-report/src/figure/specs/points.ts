import type { JsonObject, PlotStyle } from '@aiperf/core'
import { short } from '../rows.js'
import { valueAxis } from '../time-axis.js'

export interface PointsInput {
  points: readonly { x: number; y: number; n: number }[]
  x: JsonObject
  xTitle: string
  title: string
  /** All values of the vertical axis, or quantiles of them, ascending. */
  sorted: Float64Array
  fit?: boolean
}

/** One point per request between two axes. */
export function pointsSpec({ points, x, xTitle, title, sorted, fit }: PointsInput, style: PlotStyle): { spec: JsonObject; log: boolean } {
  const { y, log } = valueAxis('y', title, sorted, fit)
  const crowded = points.length > 800
  return {
    log,
    spec: {
      data: { values: points.map((p) => ({ x: short(p.x), y: short(p.y), n: p.n })) },
      mark: { type: 'point', color: style.series[0]!, size: crowded ? 14 : points.length > 150 ? 26 : 50, opacity: crowded ? 0.45 : 0.7 },
      encoding: { x, y, tooltip: [{ field: 'n', title: 'Request' }, { field: 'x', title: xTitle, format: ',.4~r' }, { field: 'y', title, format: ',.4~r' }] },
    },
  }
}
