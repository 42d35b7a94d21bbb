import type { JsonObject, PointResult } from '@aiperf/core'
import { pointValue } from './values.js'

/** Time between tokens at every concurrency and output length; null where there is no value. */
export function itlSurface(points: readonly PointResult[], rows: string, columns: string): JsonObject {
  const of = { tag: 'inter_token_latency', stat: 'avg' }
  const axis = (path: string) => [...new Set(points.map((p) => Number(p.point[path])))].sort((a, b) => a - b)
  const [concurrencies, lengths] = [axis(rows), axis(columns)]
  const at = (row: number, column: number) => {
    const point = points.find((p) => Number(p.point[rows]) === row && Number(p.point[columns]) === column)
    const value = point && pointValue(point, of)
    return value !== undefined && value >= 0 ? value : null
  }
  return { metric: of.tag, stat: of.stat, axes: { concurrency: concurrencies, osl: lengths }, grid: concurrencies.map((row) => lengths.map((column) => at(row, column))) }
}
