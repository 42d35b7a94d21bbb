/** Quantile of ascending values, between neighbours by straight line (as the metrics do); `NaN` for none. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const n = sorted.length
  if (n === 0) return Number.NaN
  const at = q * (n - 1)
  const low = Math.floor(at)
  const value = sorted[low]!
  return low + 1 < n ? value + (sorted[low + 1]! - value) * (at - low) : value
}

/** The numbers of a column, ascending, without `NaN`. */
export function sortedValues(column: Float64Array, keep?: (index: number) => boolean): Float64Array {
  const values = new Float64Array(column.length)
  let n = 0
  for (let i = 0; i < column.length; i++) if (!Number.isNaN(column[i]!) && (keep === undefined || keep(i))) values[n++] = column[i]!
  return values.subarray(0, n).sort()
}
