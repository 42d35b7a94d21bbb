import jstat from 'jstat'

const { studentt } = jstat.jStat

const known = new Map<string, number>()

/** Quantile of Student's t: the value that is exceeded with probability `1 − p`. */
export function tQuantile(p: number, degrees: number): number {
  const key = `${p} ${degrees}`
  let found = known.get(key)
  if (found === undefined) known.set(key, (found = studentt.inv(p, degrees)))
  return found
}

export const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length

/** Sample deviation (n − 1); 0 for fewer than two values. */
export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0
  const centre = mean(values)
  return Math.sqrt(values.reduce((sum, v) => sum + (v - centre) ** 2, 0) / (values.length - 1))
}
