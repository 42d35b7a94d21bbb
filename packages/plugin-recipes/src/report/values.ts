import type { PointResult } from '@aiperf/core'
import { statistic } from '../evidence/margin.js'
import { mean } from '../statistics/student.js'

/** Mean of a statistic over the runs at a point; undefined: none has it. */
export function pointValue(point: PointResult, of: { tag: string; stat: string }): number | undefined {
  const values = point.trials.flatMap((trial) => statistic(trial, of) ?? [])
  return values.length === 0 ? undefined : mean(values)
}

/** Points by a swept number, ascending, with the value of a statistic. */
export function along(points: readonly PointResult[], path: string, of: { tag: string; stat: string }): { x: number; y: number | undefined }[] {
  return points.filter((point) => typeof point.point[path] === 'number').map((point) => ({ x: Number(point.point[path]), y: pointValue(point, of) })).sort((a, b) => a.x - b.x)
}
