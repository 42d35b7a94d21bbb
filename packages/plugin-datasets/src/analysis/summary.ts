/** Statistics of a list of numbers: population deviation, percentiles by linear interpolation. */
export interface Summary {
  mean: number
  std_dev: number
  min: number
  p25: number
  median: number
  p75: number
  max: number
}

export function summaryOf(values: readonly number[]): Summary | undefined {
  if (values.length === 0) return undefined
  const sorted = Float64Array.from(values).sort()
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  const at = (share: number): number => {
    const place = share * (sorted.length - 1)
    const low = Math.floor(place)
    return sorted[low]! + (sorted[Math.min(low + 1, sorted.length - 1)]! - sorted[low]!) * (place - low)
  }
  const variance = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / sorted.length
  return { mean, std_dev: Math.sqrt(variance), min: sorted[0]!, p25: at(0.25), median: at(0.5), p75: at(0.75), max: sorted.at(-1)! }
}
