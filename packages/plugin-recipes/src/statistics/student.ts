import jstat from 'jstat'

const { studentt } = jstat.jStat

/** Quantile of Student's t: the value that is exceeded with probability `1 − p`. */
export const tQuantile = (p: number, degrees: number): number => studentt.inv(p, degrees)

export const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length

/** Sample deviation (n − 1); 0 for fewer than two values. */
export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0
  const centre = mean(values)
  return Math.sqrt(values.reduce((sum, v) => sum + (v - centre) ** 2, 0) / (values.length - 1))
}
