import type { JsonObject, Objective, PointResult } from '@aiperf/core'
import { pointValue } from './values.js'

/** Every point with its two figures, and whether no other beats it in one without losing in the other. */
export function paretoCells(points: readonly PointResult[], paths: { isl: string; osl: string; concurrency: string }, [x, y]: readonly Objective[]): JsonObject {
  const cells = points.map((point) => ({ point, x: pointValue(point, x!), y: pointValue(point, y!) }))
  const score = (value: number | undefined, { direction }: Objective) => (value === undefined ? -Infinity : direction === 'maximize' ? value : -value)
  const beats = (a: (typeof cells)[number], b: (typeof cells)[number]) => {
    const gains = [score(a.x, x!) - score(b.x, x!), score(a.y, y!) - score(b.y, y!)]
    return gains.every((g) => g >= 0) && gains.some((g) => g > 0)
  }
  const axis = ({ tag, stat, direction }: Objective) => ({ metric: tag, stat, direction })
  return {
    axes: { x: axis(x!), y: axis(y!) },
    cells: cells.map((cell) => ({
      isl: Number(cell.point.point[paths.isl]),
      osl: Number(cell.point.point[paths.osl]),
      concurrency: Number(cell.point.point[paths.concurrency]),
      x: cell.x ?? null,
      y: cell.y ?? null,
      pareto_optimal: cell.x !== undefined && cell.y !== undefined && !cells.some((other) => other !== cell && beats(other, cell)),
    })),
  }
}
