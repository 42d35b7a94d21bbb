import type { Constraint, Objective } from '@aiperf/core'
import type { CombinedMetrics } from './combine.js'

/** What is plotted against what unless somebody says otherwise: throughput up, tail latency down. */
export function standardAxes(points: readonly CombinedMetrics[]): Objective[] {
  const streaming = points.some((metrics) => metrics.has('time_to_first_token_p99'))
  return [
    { tag: 'request_throughput', stat: 'avg', direction: 'maximize' },
    { tag: streaming ? 'time_to_first_token' : 'request_latency', stat: 'p99', direction: 'minimize' },
  ]
}

export const valueOf = (metrics: CombinedMetrics, { tag, stat }: { tag: string; stat: string }): number | undefined => metrics.get(`${tag}_${stat}`)?.mean

/** Whether the mean over the runs keeps every limit; a value that is missing does not. */
export const keeps = (metrics: CombinedMetrics, constraints: readonly Constraint[]): boolean => constraints.every((limit) => within(valueOf(metrics, limit), limit))

export function within(value: number | undefined, { op, threshold }: Pick<Constraint, 'op' | 'threshold'>): boolean {
  if (value === undefined || !Number.isFinite(value)) return false
  switch (op) {
    case '<':
      return value < threshold
    case '<=':
      return value <= threshold
    case '>':
      return value > threshold
    case '>=':
      return value >= threshold
    case '==':
      return value === threshold
  }
}

/** The points that no other beats in one objective without losing in another. Points without a value are none. */
export function paretoFront<T>(points: readonly T[], objectives: readonly Objective[], value: (point: T, objective: Objective) => number | undefined): T[] {
  const scored = points.flatMap((point) => {
    const scores = objectives.map((objective) => {
      const found = value(point, objective)
      return found === undefined || !Number.isFinite(found) ? undefined : objective.direction === 'maximize' ? found : -found
    })
    return scores.includes(undefined) ? [] : [{ point, scores: scores as number[] }]
  })
  const dominates = (a: readonly number[], b: readonly number[]) => a.every((score, i) => score >= b[i]!) && a.some((score, i) => score > b[i]!)
  return scored.filter(({ scores }) => !scored.some((other) => dominates(other.scores, scores))).map(({ point }) => point)
}

/** The point that is best in one objective; the first of equals. */
export function best<T>(points: readonly T[], objective: Objective, value: (point: T) => number | undefined): T | undefined {
  let found: { point: T; score: number } | undefined
  for (const point of points) {
    const at = value(point)
    if (at === undefined) continue
    const score = objective.direction === 'maximize' ? at : -at
    if (!found || score > found.score) found = { point, score }
  }
  return found?.point
}
