const BUCKETS = 4096
const SMALL = 128
const bucketWeights = new Float64Array(BUCKETS)

/**
 * Weighted order statistics: for each target (ascending) the smallest value whose weight, with that of all smaller values,
 * reaches the target. `min` and `max` are the smallest and largest of `values[0 … n−1]`. Exact: weights are added up in
 * buckets of equal width, and only the bucket that holds a target is sorted.
 */
export function selectWeighted(values: Float64Array, weights: Float64Array, n: number, min: number, max: number, targets: readonly number[]): number[] {
  if (max === min) return targets.map(() => min)
  const scale = (BUCKETS - 1) / (max - min)
  if (n <= SMALL || !Number.isFinite(scale)) return walk(values, weights, n, targets)
  bucketWeights.fill(0)
  for (let i = 0; i < n; i++) bucketWeights[((values[i]! - min) * scale) | 0]! += weights[i]!
  const found: number[] = []
  let before = 0
  let bucket = 0
  while (found.length < targets.length) {
    while (bucket < BUCKETS - 1 && before + bucketWeights[bucket]! < targets[found.length]!) before += bucketWeights[bucket++]!
    const end = bucket === BUCKETS - 1 ? Infinity : before + bucketWeights[bucket]!
    const here = targets.slice(found.length).filter((target) => target <= end)
    found.push(...within(values, weights, n, { min, scale, bucket, max }, here.map((target) => target - before)))
  }
  return found
}

/** The targets that one bucket holds; a crowded bucket is looked into by the same means. */
function within(
  values: Float64Array,
  weights: Float64Array,
  n: number,
  { min, scale, bucket, max }: { min: number; scale: number; bucket: number; max: number },
  targets: readonly number[],
): number[] {
  let size = 0
  for (let i = 0; i < n; i++) if ((((values[i]! - min) * scale) | 0) === bucket) size++
  // Weights added up in another order round differently: a target can lie a trifle past the last value.
  if (size === 0) return targets.map(() => max)
  const inner = new Float64Array(size)
  const innerWeights = new Float64Array(size)
  let low = Infinity
  let high = -Infinity
  for (let i = 0, k = 0; i < n; i++) {
    const v = values[i]!
    if ((((v - min) * scale) | 0) !== bucket) continue
    if (v < low) low = v
    if (v > high) high = v
    inner[k] = v
    innerWeights[k++] = weights[i]!
  }
  return selectWeighted(inner, innerWeights, size, low, high, targets)
}

/** A few values are sorted. */
function walk(values: Float64Array, weights: Float64Array, n: number, targets: readonly number[]): number[] {
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => values[a]! - values[b]!)
  let sum = 0
  let k = 0
  return targets.map((target) => {
    while (k < n - 1 && sum + weights[order[k]!]! < target) sum += weights[order[k++]!]!
    return values[order[k]!]!
  })
}
