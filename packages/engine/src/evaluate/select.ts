/**
 * Order statistics without sorting: after `selectRanks` every wanted rank of `a[from … to−1]` holds the value it would
 * hold if the range were sorted. `ranks` are absolute indices, ascending. About 2·n·log2(ranks) steps.
 */
export function selectRanks(a: Float64Array, from: number, to: number, ranks: ArrayLike<number>): void {
  narrow(a, from, to - 1, ranks, 0, ranks.length - 1)
}

const SMALL = 24

function narrow(a: Float64Array, low: number, high: number, ranks: ArrayLike<number>, first: number, last: number): void {
  while (first <= last) {
    if (high - low < SMALL) {
      insertionSort(a, low, high)
      return
    }
    const [left, right] = partition(a, low, high)
    // a[low…left] ≤ pivot, a[right…high] ≥ pivot, everything between equals it.
    let split = first
    while (split <= last && ranks[split]! <= left) split++
    let above = split
    while (above <= last && ranks[above]! < right) above++
    if (split > first && above <= last) {
      narrow(a, low, left, ranks, first, split - 1)
      low = right
      first = above
    } else if (split > first) {
      high = left
      last = split - 1
    } else {
      low = right
      first = above
    }
  }
}

/** Hoare's partition around a median of three or nine. */
function partition(a: Float64Array, low: number, high: number): readonly [number, number] {
  const pivot = choosePivot(a, low, high)
  let i = low
  let j = high
  while (i <= j) {
    while (a[i]! < pivot) i++
    while (a[j]! > pivot) j--
    if (i <= j) {
      const t = a[i]!
      a[i] = a[j]!
      a[j] = t
      i++
      j--
    }
  }
  bounds[0] = j
  bounds[1] = i
  return bounds
}
const bounds: [number, number] = [0, 0]

function choosePivot(a: Float64Array, low: number, high: number): number {
  const mid = (low + high) >>> 1
  if (high - low < 400) return median(a[low]!, a[mid]!, a[high]!)
  const step = (high - low) >>> 3
  return median(
    median(a[low]!, a[low + step]!, a[low + 2 * step]!),
    median(a[mid - step]!, a[mid]!, a[mid + step]!),
    median(a[high - 2 * step]!, a[high - step]!, a[high]!),
  )
}

function median(a: number, b: number, c: number): number {
  return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b
}

function insertionSort(a: Float64Array, low: number, high: number): void {
  for (let i = low + 1; i <= high; i++) {
    const v = a[i]!
    let j = i - 1
    while (j >= low && a[j]! > v) {
      a[j + 1] = a[j]!
      j--
    }
    a[j + 1] = v
  }
}
