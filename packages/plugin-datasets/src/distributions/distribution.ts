import type { Problem, Random } from '@aiperf/core'

/** A quantity as a config file states it: a constant, or the parameters of a law, with optional limits. */
export interface Distribution {
  /** Mean of a normal (or, with `median`, log-normal) law. */
  mean?: number
  stddev?: number
  /** With `mean`: a log-normal law with this median. */
  median?: number
  /** Several normal laws, drawn by weight. */
  peaks?: { mean: number; stddev?: number; weight?: number }[]
  /** Values drawn by weight. */
  points?: { value: number; weight?: number }[]
  /** Limits: what falls outside becomes the limit. */
  min?: number
  max?: number
}

/** Draws a value of the law; not rounded. */
export type Draw = (random: Random) => number

/** Attempts at a value that is not negative before it is set to 0. */
const ATTEMPTS = 10_000

/** The draw of a distribution; `fallback` is the constant taken when it states no law. */
export function drawOf(distribution: Distribution | number | undefined, fallback: number): Draw {
  const law = typeof distribution === 'number' ? { mean: distribution } : (distribution ?? {})
  const draw = unlimited(law, fallback)
  const { min, max } = law
  if (min === undefined && max === undefined) return draw
  return (random) => Math.min(max ?? Infinity, Math.max(min ?? -Infinity, draw(random)))
}

function unlimited(law: Distribution, fallback: number): Draw {
  if (law.points?.length) {
    const { points } = law
    const pick = weighted(points.map((point) => point.weight ?? 1))
    return (random) => points[pick(random)]!.value
  }
  if (law.peaks?.length) {
    const peaks = law.peaks.map((peak) => normal(peak.mean, peak.stddev ?? 0))
    const pick = weighted(law.peaks.map((peak) => peak.weight ?? 1))
    return (random) => peaks[pick(random)]!(random)
  }
  const mean = law.mean ?? fallback
  if (law.median !== undefined && law.median < mean) {
    // E[X] = median·exp(σ²/2) for a log-normal law.
    const sigma = Math.sqrt(2 * Math.log(mean / law.median))
    const { median } = law
    return (random) => median * Math.exp(sigma * random.normal())
  }
  return normal(mean, law.stddev ?? 0)
}

function normal(mean: number, stddev: number): Draw {
  if (stddev === 0) return () => mean
  return (random) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const value = random.normal(mean, stddev)
      if (value >= 0) return value
    }
    return 0
  }
}

/** Index by weight: one uniform draw against the cumulative sums. */
export function weighted(weights: readonly number[]): (random: Random) => number {
  let total = 0
  const sums = weights.map((weight) => (total += weight))
  return (random) => {
    const draw = random.next() * total
    const found = sums.findIndex((sum) => draw < sum)
    return found < 0 ? sums.length - 1 : found
  }
}

/** A number of tokens: whole, at least `least`. A constant is rounded, a drawn value rounded up. */
export function tokensOf(distribution: Distribution | number | undefined, fallback: number, least = 1): Draw {
  const draw = drawOf(distribution, fallback)
  const constant = isConstant(distribution)
  return (random) => Math.max(least, constant ? Math.round(draw(random)) : Math.ceil(draw(random)))
}

function isConstant(distribution: Distribution | number | undefined): boolean {
  if (distribution === undefined || typeof distribution === 'number') return true
  const { stddev, median, peaks, points } = distribution
  return !stddev && median === undefined && !peaks?.length && !points?.length
}

/** What is wrong with a distribution named `name`. */
export function checkDistribution(distribution: Distribution | undefined, name: string): Problem[] {
  if (!distribution) return []
  const problems: Problem[] = []
  const wrong = (message: string, hint?: string) => problems.push({ flags: [name], message: `${name}: ${message}`, ...(hint ? { hint } : {}) })
  const { mean, median, stddev, peaks, points, min, max } = distribution
  const laws = [median !== undefined || stddev ? 'mean' : undefined, peaks && 'peaks', points && 'points'].filter(Boolean)
  if (laws.length > 1) wrong(`expected one law, got ${laws.join(' and ')}`)
  if (median !== undefined && mean === undefined) wrong('a median needs a mean', 'give both: they make a log-normal law')
  if (median !== undefined && stddev) wrong('median and stddev contradict each other', 'give mean and median, or mean and stddev')
  if (median !== undefined && mean !== undefined && median > mean) wrong(`expected a median up to the mean of ${mean}, got ${median}`)
  if (min !== undefined && max !== undefined && min > max) wrong(`expected min up to max, got ${min} and ${max}`)
  for (const list of [peaks, points])
    if (list && !list.some((item) => (item.weight ?? 1) > 0)) wrong('expected at least one entry with a weight above 0')
  return problems
}
