import type { MetricResult, Point, Random, Search, SearchPlanner, Trial } from '@aiperf/core'

/** A server as a planner sees it: figures by load, before noise. */
export type Truth = (point: Point) => Readonly<Record<string, Readonly<Record<string, number>>>>

/** One run at a point: each figure times a factor of its own around 1. */
export function trialAt(truth: Truth, point: Point, noise: number, random: Random): Trial {
  const metrics = new Map<string, MetricResult>()
  for (const [tag, stats] of Object.entries(truth(point))) {
    const factor = noise === 0 ? 1 : Math.exp(random.normal(0, noise) - (noise * noise) / 2)
    metrics.set(tag, { tag, header: tag, unit: 'ms', group: 'default', kind: 'record', ...Object.fromEntries(Object.entries(stats).map(([stat, value]) => [stat, value * factor])) })
  }
  return { point, metrics, verdict: 'valid', directory: '' }
}

export interface Simulated {
  asked: Point[]
  reason: string
  planner: SearchPlanner
}

/** Plays a search to its end, or to its limit of iterations. */
export function simulate(planner: SearchPlanner, search: Search, truth: Truth, noise: number, random: Random): Simulated {
  const asked: Point[] = []
  for (;;) {
    const ask = planner.ask()
    if (ask.kind === 'done') return { asked, reason: ask.reason, planner }
    if (asked.length >= search.maxIterations) return { asked, reason: 'max_iterations', planner }
    asked.push(ask.point)
    planner.tell(ask.point, [trialAt(truth, ask.point, noise, random)])
  }
}
