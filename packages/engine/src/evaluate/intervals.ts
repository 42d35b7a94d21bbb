/**
 * Confidence intervals of percentiles by order statistics (distribution-free): the number of values below the true
 * p-quantile is binomial(n, p), so that two ranks around n·p enclose it with a known probability. See David and Nagaraja,
 * Order Statistics, 7.1.
 */

const CONFIDENCE = 0.95
const TAIL = (1 - CONFIDENCE) / 2
/** The quantile of the normal distribution that leaves `TAIL` above it. */
export const Z = 1.959963984540054
/** Up to here the binomial is summed; beyond, its normal approximation is off by less than one rank in a hundred. */
const EXACT_COUNT = 2000

/** Fewest values with which both ends of the interval of percentile `q` exist. */
export function valuesNeeded(q: number): number {
  const p = Math.max(q, 100 - q) / 100
  return Math.ceil(Math.log(TAIL) / Math.log(p))
}

/** Ranks (0-based) of the interval of percentile `q` among `n` values; undefined when the sample cannot carry it. */
export function intervalRanks(n: number, q: number): readonly [low: number, high: number] | undefined {
  if (n < valuesNeeded(q)) return undefined
  const key = n * 128 + q
  let ranks = known.get(key)
  if (ranks === undefined) {
    if (known.size > 4096) known.clear()
    ranks = findRanks(n, q / 100)
    known.set(key, ranks)
  }
  return ranks ?? undefined
}

/** Most metrics of a run have the same number of values. */
const known = new Map<number, readonly [number, number] | null>()

function findRanks(n: number, p: number): readonly [number, number] | null {
  if (n > EXACT_COUNT) {
    const half = Z * Math.sqrt(n * p * (1 - p))
    const low = Math.floor(n * p - half) - 1
    const high = Math.ceil(n * p + half)
    return low < 0 || high > n - 1 ? null : [low, high]
  }
  return exactRanks(n, p)
}

/** Largest l and smallest h with P(B ≤ l) ≤ tail and P(B ≥ h) ≤ tail: [x(l), x(h)] in 0-based ranks l and h−1. */
function exactRanks(n: number, p: number): readonly [number, number] | null {
  const odds = p / (1 - p)
  // P(B = k) from its logarithm at 0, so that large n does not underflow.
  let log = n * Math.log1p(-p)
  let below = 0
  let low = -1
  let high = -1
  for (let k = 0; k <= n; k++) {
    const mass = Math.exp(log)
    below += mass
    if (below <= TAIL) low = k
    // The interval's upper rank r (1-based) needs P(B ≥ r) ≤ tail, that is P(B ≤ r−1) ≥ 1 − tail.
    if (below >= 1 - TAIL) {
      high = k
      break
    }
    log += Math.log((n - k) / (k + 1)) + Math.log(odds)
  }
  return low < 0 || high < 0 || high > n - 1 ? null : [low, high]
}
