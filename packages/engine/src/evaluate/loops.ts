/**
 * The loops over all values, one function each. A function with several loops in a row is compiled while it is in its
 * first, without knowing the types of what follows, and thrown away after each; an evaluation runs once, at the end of a
 * run, and would pay for that every time.
 */

/** Smallest and largest of `values[0 … n−1]`. The array returned is the same each time. */
export function extremes(values: Float64Array, n: number): Float64Array {
  let min = values[0]!
  let max = min
  for (let i = 1; i < n; i++) {
    const v = values[i]!
    if (v < min) min = v
    else if (v > max) max = v
  }
  range[0] = min
  range[1] = max
  return range
}
const range = new Float64Array(2)

/** Neumaier's compensated sum of `values[0 … n−1]`. */
export function compensatedSum(values: Float64Array, n: number): number {
  let sum = 0
  let lost = 0
  for (let i = 0; i < n; i++) {
    const v = values[i]!
    const t = sum + v
    lost += Math.abs(sum) >= Math.abs(v) ? sum - t + v : v - t + sum
    sum = t
  }
  return sum + lost
}

/** Sum of squared distances from the mean, corrected for what the mean itself lost (Chan, Golub and LeVeque, 1983). */
export function squaredDeviations(values: Float64Array, n: number, mean: number): number {
  let squares = 0
  let drift = 0
  for (let i = 0; i < n; i++) {
    const d = values[i]! - mean
    squares += d * d
    drift += d
  }
  return squares - (drift * drift) / n
}

/** Adds the number of values in each bucket of equal width to `counts`. */
export function countInto(counts: Int32Array, values: Float64Array, n: number, min: number, scale: number): void {
  for (let i = 0; i < n; i++) counts[((values[i]! - min) * scale) | 0]!++
}

/** Adds the weight and the number of the values in each bucket. */
export function weighInto(totals: Float64Array, counts: Int32Array, values: Float64Array, weights: Float64Array, n: number, min: number, scale: number): void {
  for (let i = 0; i < n; i++) {
    const bucket = ((values[i]! - min) * scale) | 0
    totals[bucket]! += weights[i]!
    counts[bucket]!++
  }
}

/** Copies each value whose bucket has a place (not −1) there, and moves the place on. */
export function placeInto(into: Float64Array, places: Int32Array, values: Float64Array, n: number, min: number, scale: number): void {
  for (let i = 0; i < n; i++) {
    const v = values[i]!
    const bucket = ((v - min) * scale) | 0
    const place = places[bucket]!
    if (place < 0) continue
    into[place] = v
    places[bucket] = place + 1
  }
}

/** As `placeInto`, for values with weights. */
export function placeWeighted(
  into: Float64Array,
  intoWeights: Float64Array,
  places: Int32Array,
  values: Float64Array,
  weights: Float64Array,
  n: number,
  min: number,
  scale: number,
): void {
  for (let i = 0; i < n; i++) {
    const v = values[i]!
    const bucket = ((v - min) * scale) | 0
    const place = places[bucket]!
    if (place < 0) continue
    into[place] = v
    intoWeights[place] = weights[i]!
    places[bucket] = place + 1
  }
}

/** Σ weight. */
export function totalWeight(weights: Float64Array, n: number): number {
  let total = 0
  for (let i = 0; i < n; i++) total += weights[i]!
  return total
}

/** Σ value × weight. */
export function weightedSum(values: Float64Array, weights: Float64Array, n: number): number {
  let area = 0
  for (let i = 0; i < n; i++) area += values[i]! * weights[i]!
  return area
}

/** Σ weight × (value − mean)². */
export function weightedSquares(values: Float64Array, weights: Float64Array, n: number, mean: number): number {
  let squares = 0
  for (let i = 0; i < n; i++) {
    const d = values[i]! - mean
    squares += weights[i]! * d * d
  }
  return squares
}
