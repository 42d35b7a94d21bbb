import type { Constraint, Trial } from '@aiperf/core'

/** A finite statistic of a trial; undefined: it has none, or the run failed. */
export function statistic(trial: Trial, { tag, stat }: { tag: string; stat: string }): number | undefined {
  const value = trial.metrics.get(tag)?.[stat as 'avg']
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/**
 * How far a value is from its limit, in units of the limit (of 1 where the limit is 0): below 0 it keeps it, above 0 it
 * breaks it. A missing value is far above.
 */
export function marginOf(value: number | undefined, { op, threshold }: Constraint): number {
  if (value === undefined) return MISSING
  const scale = threshold === 0 ? 1 : Math.abs(threshold)
  if (op === '==') return Math.abs(value - threshold) / scale
  return (op === '<' || op === '<=' ? value - threshold : threshold - value) / scale
}

const MISSING = 1e6

/**
 * A value as its margin implies it, in units of the limit: the noise of a run grows with it. Small values count as a tenth of
 * the limit, for their noise does not vanish; where the limit is 0 all count alike.
 */
export function sizeOf(margin: number, { op, threshold }: Constraint): number {
  if (threshold === 0 || op === '==') return 1
  return Math.max(LEAST_SIZE, Math.abs(op === '<' || op === '<=' ? 1 + margin : 1 - margin))
}
const LEAST_SIZE = 0.1

/** Whether a margin keeps its limit: strict limits are broken by touching them. */
export const keeps = (margin: number, { op }: Constraint): boolean => (op === '<' || op === '>' ? margin < -TOUCH : margin <= TOUCH)
/** Rounding of values that touch their limit. */
const TOUCH = 1e-12

/**
 * Deviation of a value as one run shows it by itself, in units of the limit: a quarter of the 95 % interval of its
 * percentile. Between runs it is at least that. 0 where the run says nothing of it.
 */
export function deviationWithin(trial: Trial, { tag, stat, threshold }: Constraint): number {
  const interval = trial.metrics.get(tag)?.intervals?.[stat as 'p95']
  if (!interval) return 0
  const scale = threshold === 0 ? 1 : Math.abs(threshold)
  return (interval[1] - interval[0]) / (2 * NORMAL_95) / scale
}
const NORMAL_95 = 1.959964
