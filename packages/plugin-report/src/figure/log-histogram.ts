/** Values counted in buckets of equal ratio, so that parts of a run can be put together again later. */

const RATIO = Math.log(1.03)
/** Bucket of values that have no logarithm. */
const ZERO = -100_000

/** Half a bucket: how far a quantile of a histogram may be off. */
export const HISTOGRAM_ERROR = 0.015

export type Counts = Map<number, number>

export const bucketOf = (value: number): number => (value > 0 ? Math.floor(Math.log(value) / RATIO) : ZERO)

const lower = (bucket: number): number => (bucket === ZERO ? 0 : Math.exp(bucket * RATIO))
const middle = (bucket: number): number => (bucket === ZERO ? 0 : Math.exp((bucket + 0.5) * RATIO))

/** Flat pairs of bucket and count, the bucket as distance from the one before: short as JSON. */
export function packed(counts: Counts): number[] {
  let before = 0
  return [...counts].sort(([a], [b]) => a - b).flatMap(([bucket, count]) => {
    const step = bucket - before
    before = bucket
    return [step, count]
  })
}

export function addPacked(counts: Counts, flat: readonly number[]): void {
  let bucket = 0
  for (let i = 0; i < flat.length; i += 2) {
    bucket += flat[i]!
    counts.set(bucket, (counts.get(bucket) ?? 0) + flat[i + 1]!)
  }
}

/** Quantile of what was counted, within `HISTOGRAM_ERROR`. */
export function countedQuantile(sorted: readonly (readonly [bucket: number, count: number])[], total: number, q: number): number {
  const wanted = q * (total - 1)
  let seen = 0
  for (const [bucket, count] of sorted) {
    seen += count
    if (seen > wanted) return middle(bucket)
  }
  return sorted.length === 0 ? Number.NaN : middle(sorted.at(-1)![0])
}

/** Counts spread over equal buckets (or buckets of equal ratio) of a chart. */
export function rebinned(sorted: readonly (readonly [bucket: number, count: number])[], log: boolean, most: number): { from: number; to: number; count: number }[] {
  if (sorted.length === 0) return []
  const low = lower(sorted[0]![0])
  const high = lower(sorted.at(-1)![0] + 1)
  if (log && low > 0) {
    const first = sorted[0]![0]
    const group = Math.max(1, Math.ceil((sorted.at(-1)![0] - first + 1) / most))
    const merged = new Map<number, number>()
    for (const [bucket, count] of sorted) merged.set(Math.floor((bucket - first) / group), (merged.get(Math.floor((bucket - first) / group)) ?? 0) + count)
    const last = Math.max(...merged.keys())
    return Array.from({ length: last + 1 }, (_, i) => ({ from: lower(first + i * group), to: lower(first + (i + 1) * group), count: merged.get(i) ?? 0 }))
  }
  const bins = Math.min(most, Math.max(8, sorted.length))
  const width = (high - low) / bins || 1
  const counts = new Float64Array(bins)
  for (const [bucket, count] of sorted) {
    const [from, to] = [lower(bucket), bucket === ZERO ? width / 2 : lower(bucket + 1)]
    for (let b = Math.max(0, Math.floor((from - low) / width)); b < bins && low + b * width < to; b++) {
      const overlap = Math.min(to, low + (b + 1) * width) - Math.max(from, low + b * width)
      counts[b]! += count * (to > from ? Math.max(0, overlap) / (to - from) : 1)
    }
  }
  return Array.from(counts, (count, i) => ({ from: low + i * width, to: low + (i + 1) * width, count: Math.round(count * 10) / 10 }))
}
