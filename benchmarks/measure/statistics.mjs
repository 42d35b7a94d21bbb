/** Median of the values; NaN for none. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length === 0 ? Number.NaN : sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Quantile by linear interpolation; `q` from 0 to 1. */
export function quantile(values, q) {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return Number.NaN
  const at = (sorted.length - 1) * q
  const low = Math.floor(at)
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low])
}

/** Median, and the range of all values: with few repetitions, the range says more than a deviation. */
export function summary(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), values: [...values] }
}

/** Summary of the ratio of each pair: `over[i] / under[i]`, measured one right after the other. */
export function ratios(over, under) {
  return summary(over.map((value, i) => value / under[i]))
}

/** Distance of Kolmogorov and Smirnov between gaps and the exponential distribution of the same rate (per second). */
export function exponentialDistance(gapsSeconds, rate) {
  const sorted = Float64Array.from(gapsSeconds).sort()
  let distance = 0
  sorted.forEach((gap, i) => {
    const expected = 1 - Math.exp(-rate * gap)
    distance = Math.max(distance, Math.abs(expected - i / sorted.length), Math.abs(expected - (i + 1) / sorted.length))
  })
  return distance
}
