import { createRandom } from '@aiperf/core'
import { tCritical, tTail } from '../statistics/student.js'

/** How B relates to A in one figure. */
export interface Estimate {
  a: number
  b: number
  runsA: number
  runsB: number
  /** B over A (difference B − A where a value is not positive), and its interval. */
  ratio: number
  low: number
  high: number
  /** Interval of the equivalence test: at level 1 − 2 alpha. */
  narrowLow: number
  narrowHigh: number
  /** Of Welch's test over the runs; undefined: one run on a side, of whose variation nothing is known. */
  p: number | undefined
  isRatio: boolean
  /** What the interval covers. */
  covers: 'runs' | 'requests'
}

const RESAMPLES = 4000
/** What is left of differences of equal numbers. */
const rounded = (value: number): number => (Math.abs(value) < 1e-12 ? 0 : value)
const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length
const variance = (values: readonly number[]): number => {
  const centre = mean(values)
  return values.reduce((sum, v) => sum + (v - centre) ** 2, 0) / (values.length - 1)
}

/**
 * Compares the values of runs. The run is the unit: its requests share what was special about it. Of positive values the
 * logarithms are compared, so that the difference is a ratio. The standard error comes from resampling runs (with the
 * n / (n − 1) that resampling few of them lacks), the interval and the test use Student's t with Welch's degrees.
 */
export function compareRuns(a: readonly number[], b: readonly number[], level: number): Estimate {
  const isRatio = [...a, ...b].every((v) => v > 0)
  const change = (v: number) => (isRatio ? Math.log(v) : v)
  const back = (v: number) => (isRatio ? Math.exp(v) : v)
  const [x, y] = [a.map(change), b.map(change)]
  const difference = rounded(mean(y) - mean(x))
  const [partA, partB] = [resampledVariance(x, 'a'), resampledVariance(y, 'b')]
  const se = rounded(Math.sqrt(partA + partB))
  const degrees = welch(variance(x) / x.length, x.length, variance(y) / y.length, y.length)
  const [wide, narrow] = se === 0 ? [0, 0] : [tCritical(level, degrees) * se, tCritical(1 - 2 * (1 - level), degrees) * se]
  return {
    a: mean(a), b: mean(b), runsA: a.length, runsB: b.length, isRatio, covers: 'runs',
    ratio: back(difference), low: back(difference - wide), high: back(difference + wide), narrowLow: back(difference - narrow), narrowHigh: back(difference + narrow),
    p: se === 0 ? (difference === 0 ? 1 : 0) : tTail(difference / se, degrees),
  }
}

/** Variance of the mean of runs, by drawing as many of them with replacement again and again. */
function resampledVariance(values: readonly number[], name: string): number {
  const n = values.length
  const random = createRandom(n, `bootstrap ${name} ${values.join()}`)
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0
    for (let i = 0; i < n; i++) sum += values[Math.floor(random.next() * n)]!
    return sum / n
  })
  return (variance(means) * n) / (n - 1)
}

/** Welch and Satterthwaite's degrees of freedom. */
function welch(a: number, na: number, b: number, nb: number): number {
  const total = a + b
  return total === 0 ? na + nb - 2 : total ** 2 / (a ** 2 / (na - 1) + b ** 2 / (nb - 1))
}

/**
 * Compares one run with one run: blocks of consecutive requests are resampled, for neighbours resemble one another. The
 * interval says how far chance among requests goes; what differs from run to run is not in it.
 */
export function compareRequests(a: Float64Array, b: Float64Array, statistic: (values: Float64Array) => number, values: { a: number; b: number }, level: number): Estimate {
  const isRatio = values.a > 0 && values.b > 0
  const random = createRandom(a.length + b.length, 'blocks')
  const rounds = 400
  const effects = Array.from({ length: rounds }, () => {
    const [x, y] = [statistic(resampledBlocks(a, random)), statistic(resampledBlocks(b, random))]
    return isRatio ? Math.log(y / x) : y - x
  })
    .filter(Number.isFinite)
    .sort((p, q) => p - q)
  const back = (v: number) => (isRatio ? Math.exp(v) : v)
  const quantile = (p: number) => (effects.length === 0 ? Number.NaN : effects[Math.min(effects.length - 1, Math.max(0, Math.round(p * (effects.length - 1))))]!)
  const alpha = 1 - level
  return {
    a: values.a, b: values.b, runsA: 1, runsB: 1, isRatio, covers: 'requests', p: undefined,
    ratio: isRatio ? values.b / values.a : values.b - values.a,
    low: back(quantile(alpha / 2)), high: back(quantile(1 - alpha / 2)), narrowLow: back(quantile(alpha)), narrowHigh: back(quantile(1 - alpha)),
  }
}

function resampledBlocks(values: Float64Array, random: { next(): number }): Float64Array {
  const n = values.length
  const block = Math.max(1, Math.round(Math.cbrt(n) * 2))
  const drawn = new Float64Array(n)
  for (let i = 0; i < n; ) {
    const start = Math.floor(random.next() * n)
    for (let k = 0; k < block && i < n; k++) drawn[i++] = values[(start + k) % n]!
  }
  return drawn
}

/** P-values corrected for their number after Holm (1979): the chance of a single false alarm stays below the level. */
export function holm(p: readonly number[]): number[] {
  const order = p.map((value, i) => ({ value, i })).sort((a, b) => a.value - b.value)
  const corrected = new Array<number>(p.length)
  let least = 0
  for (const [rank, { value, i }] of order.entries()) {
    least = Math.max(least, Math.min(1, value * (p.length - rank)))
    corrected[i] = least
  }
  return corrected
}
