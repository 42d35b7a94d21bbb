import { GaussianProcess, type Data, type Hyperparameters } from './process.js'
import { nelderMead } from './nelder-mead.js'

/** What repetitions say of the noise, in the units of the data: its variance and on how many degrees of freedom. */
export interface KnownNoise {
  variance: number
  degrees: number
}

const logNormal = (log: number, location: number, scale: number): number => -((log - location) ** 2) / (2 * scale * scale)
const BOUNDS = { scale: [Math.log(0.01), Math.log(30)], variance: [Math.log(0.05), Math.log(20)], noise: [Math.log(1e-6), Math.log(1)] } as const
const clamp = (v: number, [low, high]: readonly [number, number]): number => Math.min(high, Math.max(low, v))

/**
 * A process whose hyperparameters are the most probable ones: length scales with a log-normal prior that grows with the
 * dimensions (location √2 + ln(d)/2, scale √3; Hvarfner and others 2024), a gamma(2, 0.15) prior of the output's scale, and
 * the noise that repetitions show, or one that is thought small.
 */
export function fitProcess(data: Data, known: KnownNoise, before?: Hyperparameters): GaussianProcess {
  const dimensions = data.x[0]!.length
  const unpack = (v: readonly number[]): Hyperparameters => ({
    scales: v.slice(0, dimensions).map((log) => Math.exp(clamp(log, BOUNDS.scale))),
    variance: Math.exp(clamp(v[dimensions]!, BOUNDS.variance)),
    noise: Math.exp(clamp(v[dimensions + 1]!, BOUNDS.noise)),
  })
  const loss = (v: readonly number[]): number => {
    const hyper = unpack(v)
    const outside = v.reduce((sum, log, i) => {
      const bounds = i < dimensions ? BOUNDS.scale : i === dimensions ? BOUNDS.variance : BOUNDS.noise
      return sum + (log - clamp(log, bounds)) ** 2
    }, 0)
    const scales = hyper.scales.reduce((sum, s) => sum + logNormal(Math.log(s), Math.SQRT2 + Math.log(dimensions) / 2, Math.sqrt(3)), 0)
    const output = Math.log(hyper.variance) - 0.15 * hyper.variance
    return -(new GaussianProcess(data, hyper).logLikelihood + scales + output + noisePrior(hyper.noise, known)) + 10 * outside
  }
  const noise = known.degrees > 0 ? clamp(Math.log(Math.max(known.variance, 1e-6)), BOUNDS.noise) : undefined
  const from = (scale: number, log: number) => [...new Array<number>(dimensions).fill(scale), 0, noise ?? log]
  // Rough without noise and smooth with noise can explain the same data: both are tried.
  const starts = [from(-1.5, NOISE_LOCATION), from(0, NOISE_LOCATION), from(0, NOISY)]
  // What was most probable before one more run is near what is now; now and then the others guard against a dead end.
  const packed = before && [...before.scales, before.variance, before.noise].map(Math.log)
  const tried = packed ? [packed, ...(data.x.length % RESTART === 0 ? starts : [])] : starts
  const [best] = tried.map((start) => nelderMead(loss, start, { step: 0.8, most: 80 + 30 * dimensions, tolerance: 1e-3 })).sort((a, b) => a.value - b.value)
  return new GaussianProcess(data, unpack(best!.x))
}

const RESTART = 3
const NOISE_LOCATION = -6
const NOISY = -2

/** Of the sample variance of repetitions, as a chi-squared; without any, log-normal around a few percent of the outputs' deviation. */
function noisePrior(noise: number, { variance, degrees }: KnownNoise): number {
  if (degrees === 0) return logNormal(Math.log(noise), NOISE_LOCATION, 1.5)
  return -0.5 * degrees * (Math.log(noise) + variance / noise) + logNormal(Math.log(noise), NOISE_LOCATION, 3)
}
