import jstat from 'jstat'

const { normal } = jstat.jStat

export const normalCdf = (z: number): number => normal.cdf(z, 0, 1)
export const normalPdf = (z: number): number => Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI)
export const normalQuantile = (p: number): number => normal.inv(p, 0, 1)

/** Expected gain over `best` of a normal variable. */
export function expectedGain(mean: number, deviation: number, best: number): number {
  const z = (mean - best) / deviation
  return deviation * (z * normalCdf(z) + normalPdf(z))
}
