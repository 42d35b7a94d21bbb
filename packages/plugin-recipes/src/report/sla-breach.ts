import type { Constraint, JsonObject, PointResult } from '@aiperf/core'
import { keeps, marginOf } from '../evidence/margin.js'
import { pointValue } from './values.js'

/** The highest value that keeps every limit and the lowest that does not, by the means of the points. */
export function slaBreach(points: readonly PointResult[], path: string, limits: readonly Constraint[]): JsonObject {
  const leaf = path.slice(path.lastIndexOf('.') + 1)
  const all = points
    .filter((point) => typeof point.point[path] === 'number')
    .map((point) => {
      const breaches = limits.flatMap((limit) => {
        const value = pointValue(point, limit)
        return keeps(marginOf(value, limit), limit) ? [] : [{ metric: limit.tag, stat: limit.stat, op: limit.op, threshold: limit.threshold, value: value ?? null }]
      })
      return { x: Number(point.point[path]), breaches }
    })
    .sort((a, b) => a.x - b.x)
  const firstFailing = all.find(({ breaches }) => breaches.length > 0)
  const passing = all.filter(({ breaches }) => breaches.length === 0)
  const maxPassing = passing.at(-1)
  return {
    [`max_passing_${leaf}`]: maxPassing?.x ?? null,
    [`first_failing_${leaf}`]: firstFailing?.x ?? null,
    first_breach: firstFailing?.breaches[0] ?? null,
    points: all.map(({ x, breaches }) => ({ [leaf]: x, breaches })),
    monotonicity_check: { monotone: !maxPassing || !firstFailing || maxPassing.x < firstFailing.x, passing_above_failing: passing.filter(({ x }) => firstFailing && x > firstFailing.x).map(({ x }) => x) },
  }
}
