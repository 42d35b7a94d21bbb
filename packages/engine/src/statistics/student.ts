import jstat from 'jstat'

const { studentt } = jstat.jStat

/**
 * Two-sided critical value of Student's t: the quantile at 1 − (1 − level)/2 with `degrees` degrees of freedom (any
 * positive number, for Welch's). Level 0.95 with 2 degrees: 4.3027.
 */
export const tCritical = (level: number, degrees: number): number => studentt.inv(1 - (1 - level) / 2, degrees)

/** Two-sided p-value of a t statistic. */
export const tTail = (t: number, degrees: number): number => (Number.isFinite(t) ? Math.min(1, 2 * studentt.cdf(-Math.abs(t), degrees)) : 0)

/** What repeated runs gave for one value. */
export interface Interval {
  count: number
  mean: number
  /** Sample deviation, n − 1; 0 for one value, of which none is known. */
  std: number
  min: number
  max: number
  /** Deviation over mean; infinite when the mean is 0 and the deviation is not. */
  cv: number
  /** Standard error of the mean. */
  se: number
  /** Bounds of Student's interval; both the mean for one value. */
  low: number
  high: number
  /** Undefined for one value. */
  tCritical: number | undefined
}

/** Mean and Student interval of at least one finite value. */
export function interval(values: readonly number[], level: number): Interval {
  const count = values.length
  const mean = values.reduce((sum, v) => sum + v, 0) / count
  const std = count < 2 ? 0 : Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (count - 1))
  const se = std / Math.sqrt(count)
  const t = count < 2 ? undefined : tCritical(level, count - 1)
  const half = t === undefined ? 0 : t * se
  const cv = std === 0 ? 0 : mean === 0 ? Infinity : std / mean
  return { count, mean, std, min: Math.min(...values), max: Math.max(...values), cv, se, low: mean - half, high: mean + half, tCritical: t }
}
