import { extremes, placeWeighted, weighInto } from './loops.js'

const BUCKETS = 4096
const SMALL = 128
/** Places of a bucket nobody wants. */
const NOWHERE = -1

/**
 * Weighted order statistics: for each target (ascending) the smallest value whose weight, with that of all smaller values,
 * reaches the target. `min` and `max` are the smallest and largest of `values[0 … n−1]`. Exact: weights are added up in
 * buckets of equal width, and only buckets that hold a target are sorted.
 */
export function selectWeighted(values: Float64Array, weights: Float64Array, n: number, min: number, max: number, targets: readonly number[]): number[] {
  if (max === min) return targets.map(() => min)
  const scale = (BUCKETS - 1) / (max - min)
  if (n <= SMALL || !Number.isFinite(scale)) return walk(values, weights, n, targets)
  const totals = new Float64Array(BUCKETS)
  const counts = new Int32Array(BUCKETS)
  weighInto(totals, counts, values, weights, n, min, scale)

  const places = new Int32Array(BUCKETS).fill(NOWHERE)
  const groups = groupTargets(totals, counts, targets)
  let wanted = 0
  for (const group of groups) {
    places[group.bucket] = wanted
    wanted += counts[group.bucket]!
  }
  const inner = new Float64Array(wanted)
  const innerWeights = new Float64Array(wanted)
  placeWeighted(inner, innerWeights, places, values, weights, n, min, scale)
  return groups.flatMap(({ bucket, targets: within }) => {
    const end = places[bucket]!
    const size = counts[bucket]!
    // Weights added up in another order round differently: a target can lie a trifle past the last value.
    if (size === 0) return within.map(() => max)
    const part = inner.subarray(end - size, end)
    const [low, high] = extremes(part, size) as unknown as [number, number]
    return selectWeighted(part, innerWeights.subarray(end - size, end), size, low, high, within)
  })
}

/** The bucket of each target, and the targets as weights from the bucket's start on. */
function groupTargets(totals: Float64Array, counts: Int32Array, targets: readonly number[]): { bucket: number; targets: number[] }[] {
  const groups: { bucket: number; targets: number[] }[] = []
  let last = BUCKETS - 1
  while (last > 0 && counts[last] === 0) last--
  let before = 0
  let bucket = 0
  for (const target of targets) {
    while (bucket < last && before + totals[bucket]! < target) before += totals[bucket++]!
    const group = groups.at(-1)
    if (group?.bucket === bucket) group.targets.push(target - before)
    else groups.push({ bucket, targets: [target - before] })
  }
  return groups
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
