import type { Random } from './random.js'

export const DISTRIBUTIONS = ['fixed', 'normal', 'lognormal', 'exponential', 'uniform'] as const

/** The law of a random quantity. `mean` and `stddev` are those of the quantity itself, also for `lognormal`. */
export type DistributionKind = (typeof DISTRIBUTIONS)[number]

/** Draws from a distribution; never below 0 (a normal draw below 0 counts as 0). */
export interface Sampler {
  /** The one value there is, or undefined where values differ. */
  readonly constant: number | undefined
  sample(random: Random): number
}

/** `stddev` is in the unit of `mean`, and has no meaning for `fixed` and `exponential`. */
export function sampler(kind: DistributionKind, mean: number, stddev: number): Sampler {
  const draw = drawer(kind, mean, stddev)
  if (draw === undefined) return { constant: mean, sample: () => mean }
  return { constant: undefined, sample: (random) => Math.max(0, draw(random)) }
}

function drawer(kind: DistributionKind, mean: number, stddev: number): ((random: Random) => number) | undefined {
  if (mean === 0 && kind !== 'normal') return undefined
  if (kind === 'exponential') return (random) => -mean * Math.log(1 - random.next())
  if (kind === 'fixed' || stddev === 0) return undefined
  if (kind === 'normal') return (random) => mean + stddev * random.nextNormal()
  if (kind === 'uniform') return (random) => mean + stddev * Math.sqrt(3) * (2 * random.next() - 1)
  const variance = Math.log(1 + (stddev / mean) ** 2)
  const mu = Math.log(mean) - variance / 2
  return (random) => Math.exp(mu + Math.sqrt(variance) * random.nextNormal())
}

/** The law where none is named: normal where there is a deviation. */
export function lawOf(kind: DistributionKind | undefined, stddev: number): DistributionKind {
  return kind ?? (stddev > 0 ? 'normal' : 'fixed')
}
