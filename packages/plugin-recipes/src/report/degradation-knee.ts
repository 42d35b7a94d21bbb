import type { PointResult } from '@aiperf/core'
import { along } from './values.js'

type At = {
  x: number
  y: number
}

export type Knee = {
  metric: string
  stat: string
  threshold: number
  baseline: At | null
  knee: At | null
  points: { x: number; y: number | null }[]
}

/** The first point whose statistic exceeds the first point's by more than a share. */
export function degradationKnee(points: readonly PointResult[], path: string, of: { tag: string; stat: string }, threshold: number): Knee {
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

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

export function kneeText({ metric, stat, threshold, baseline, knee, points }: Knee): string {
  if (!baseline) return `Knee: not known, no point has a ${metric} ${stat}`
  const { x, y } = knee ?? points.at(-1)!
  if (!knee) return `No knee up to ${x}: ${metric} ${stat} stays within ${percent(threshold)} of what it is at ${baseline.x}`
  return `Knee: ${x}, where ${metric} ${stat} is ${percent(y! / baseline.y - 1)} above what it is at ${baseline.x} (limit ${percent(threshold)})`
}
