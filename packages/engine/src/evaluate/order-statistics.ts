import { countInto, placeInto } from './loops.js'
import { Scratch } from './scratch.js'
import { selectRanks } from './select.js'

const BUCKETS = 4096
const counts = new Int32Array(BUCKETS + 1)
const places = new Int32Array(BUCKETS)
const scratch = new Scratch()

/**
 * The values of `ranks` (ascending) in `values[0 … n−1]`, whose smallest and largest values are given. Exact. Large samples
 * are counted into buckets of equal width first, and only the buckets that hold a wanted rank are looked into: two passes,
 * where selection among all would take a dozen. Reorders small samples.
 */
export function orderStatistics(values: Float64Array, n: number, min: number, max: number, ranks: readonly number[]): Float64Array {
  const found = new Float64Array(ranks.length)
  const scale = (BUCKETS - 1) / (max - min)
  if (n < 1024 || !Number.isFinite(scale)) {
    selectRanks(values, 0, n, ranks)
    ranks.forEach((rank, i) => (found[i] = values[rank]!))
    return found
  }
  counts.fill(0)
  countInto(counts, values, n, min, scale)
  places.fill(-1)
  let before = 0
  let wanted = 0
  const groups: { from: number; size: number; before: number; first: number; last: number }[] = []
  for (let bucket = 0, r = 0; bucket < BUCKETS && r < ranks.length; bucket++) {
    const size = counts[bucket]!
    if (ranks[r]! < before + size) {
      const first = r
      while (r < ranks.length && ranks[r]! < before + size) r++
      places[bucket] = wanted
      groups.push({ from: wanted, size, before, first, last: r - 1 })
      wanted += size
    }
    before += size
  }
  const into = scratch.room(wanted)
  placeInto(into, places, values, n, min, scale)
  for (const { from, size, before: smaller, first, last } of groups) {
    const local = ranks.slice(first, last + 1).map((rank) => from + rank - smaller)
    selectRanks(into, from, from + size, local)
    local.forEach((at, i) => (found[first + i] = into[at]!))
  }
  return found
}
