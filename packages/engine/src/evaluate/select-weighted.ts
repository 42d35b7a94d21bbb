/**
 * Weighted order statistics without sorting: for each target (ascending) the smallest value whose weight, with that of all
 * smaller values, reaches the target. Reorders both arrays.
 */
export function selectWeighted(values: Float64Array, weights: Float64Array, n: number, targets: readonly number[]): number[] {
  const found = new Array<number>(targets.length)
  narrow(values, weights, 0, n - 1, 0, targets, 0, targets.length - 1, found)
  return found
}

function narrow(
  values: Float64Array,
  weights: Float64Array,
  low: number,
  high: number,
  before: number,
  targets: readonly number[],
  first: number,
  last: number,
  found: number[],
): void {
  while (first <= last) {
    if (high - low < 16) {
      scan(values, weights, low, high, before, targets, first, last, found)
      return
    }
    const pivot = median(values[low]!, values[(low + high) >>> 1]!, values[high]!)
    let i = low
    let j = high
    while (i <= j) {
      while (values[i]! < pivot) i++
      while (values[j]! > pivot) j--
      if (i <= j) {
        const v = values[i]!
        values[i] = values[j]!
        values[j] = v
        const w = weights[i]!
        weights[i] = weights[j]!
        weights[j] = w
        i++
        j--
      }
    }
    let leftEnd = before
    for (let k = low; k <= j; k++) leftEnd += weights[k]!
    let middleEnd = leftEnd
    for (let k = j + 1; k < i; k++) middleEnd += weights[k]!
    let split = first
    while (split <= last && targets[split]! <= leftEnd) split++
    let above = split
    while (above <= last && targets[above]! <= middleEnd) found[above++] = pivot
    if (split > first) narrow(values, weights, low, j, before, targets, first, split - 1, found)
    if (above > last) return
    low = i
    before = middleEnd
    first = above
    // Rounding can leave a target a trifle above the whole weight: it is the largest value then.
    if (low > high) {
      for (; first <= last; first++) found[first] = pivot
      return
    }
  }
}

function scan(
  values: Float64Array,
  weights: Float64Array,
  low: number,
  high: number,
  before: number,
  targets: readonly number[],
  first: number,
  last: number,
  found: number[],
): void {
  for (let i = low + 1; i <= high; i++) {
    const v = values[i]!
    const w = weights[i]!
    let j = i - 1
    while (j >= low && values[j]! > v) {
      values[j + 1] = values[j]!
      weights[j + 1] = weights[j]!
      j--
    }
    values[j + 1] = v
    weights[j + 1] = w
  }
  let sum = before
  let i = low
  for (; first <= last; first++) {
    while (i <= high && sum + weights[i]! < targets[first]!) sum += weights[i++]!
    found[first] = values[Math.min(i, high)]!
  }
}

function median(a: number, b: number, c: number): number {
  return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b
}
