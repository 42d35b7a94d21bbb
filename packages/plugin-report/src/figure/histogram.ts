export interface Bucket {
  from: number
  to: number
  count: number
}

/**
 * Buckets of equal width (or of equal ratio, when a few values tower over the others) over ascending values. Their number
 * follows Freedman and Diaconis (1981), between 8 and `most`.
 */
export function histogram(sorted: Float64Array, log: boolean, most = 60): Bucket[] {
  const n = sorted.length
  if (n === 0) return []
  const to = log ? Math.log10 : (v: number): number => v
  const back = log ? (v: number): number => 10 ** v : (v: number): number => v
  const low = to(sorted[0]!)
  const high = to(sorted[n - 1]!)
  if (high === low) return oneValue(sorted[0]!, n)
  const spread = to(sorted[Math.floor(0.75 * (n - 1))]!) - to(sorted[Math.floor(0.25 * (n - 1))]!)
  const ideal = spread > 0 ? Math.ceil((high - low) / ((2 * spread) / Math.cbrt(n))) : 8
  const bins = Math.max(Math.min(8, n), Math.min(most, ideal))
  const counts = new Uint32Array(bins)
  for (const value of sorted) counts[Math.min(bins - 1, Math.floor(((to(value) - low) / (high - low)) * bins))]!++
  return Array.from(counts, (count, i) => ({ from: back(low + ((high - low) * i) / bins), to: back(low + ((high - low) * (i + 1)) / bins), count }))
}

/** One value alone: a slim bar with room on both sides. */
function oneValue(value: number, count: number): Bucket[] {
  const half = Math.abs(value) / 4 || 1
  return [{ from: value - half, to: value - half / 12, count: 0 }, { from: value - half / 12, to: value + half / 12, count }, { from: value + half / 12, to: value + half, count: 0 }]
}
