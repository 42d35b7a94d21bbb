import type { JsonObject, PointResult } from '@aiperf/core'
import { along } from './values.js'

/** The first point whose statistic exceeds the first point's by more than a share. */
export function degradationKnee(points: readonly PointResult[], path: string, of: { tag: string; stat: string }, threshold: number): JsonObject {
  const all = along(points, path, of)
  const first = all.find(({ y }) => y !== undefined)
  const baseline = first && first.y! > 0 ? first : undefined
  const knee = baseline && all.find(({ x, y }) => x > baseline.x && y !== undefined && y > baseline.y! * (1 + threshold))
  return {
    metric: of.tag,
    stat: of.stat,
    threshold,
    baseline: baseline ? { x: baseline.x, y: baseline.y! } : null,
    knee: knee ? { x: knee.x, y: knee.y! } : null,
    points: all.map(({ x, y }) => ({ x, y: y ?? null })),
  }
}
