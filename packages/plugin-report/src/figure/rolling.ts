import { quantile } from './quantiles.js'

/** Percentiles of the last `window` values at each value, itself included; early ones look back on what there is. */
export function rolling(values: Float64Array, window: number, quantiles: readonly number[]): Float64Array[] {
  const out = quantiles.map(() => new Float64Array(values.length))
  const last: number[] = []
  for (let i = 0; i < values.length; i++) {
    insert(last, values[i]!)
    if (i >= window) last.splice(position(last, values[i - window]!), 1)
    for (const [k, q] of quantiles.entries()) out[k]![i] = quantile(last, q)
  }
  return out
}

function position(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
const insert = (sorted: number[], value: number): void => void sorted.splice(position(sorted, value), 0, value)
