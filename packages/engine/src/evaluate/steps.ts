/** A step function: `values[i]` from `times[i]` to `times[i+1]`, 0 before the first, the last value after the last. */
export interface Steps {
  readonly times: Float64Array
  readonly values: Float64Array
  readonly length: number
  /** Width of the time bins whose averages the values are; undefined: the values are those of the curve itself. */
  readonly resolutionNs: number | undefined
  /** A curve divided by another: not a quantity that adds up over time. */
  readonly ratio?: boolean
}

/** Index of the first step after a time. */
export function stepAfter({ times, length }: Steps, ns: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const mid = (low + high) >>> 1
    if (times[mid]! <= ns) low = mid + 1
    else high = mid
  }
  return low
}

/** The curve `a + b`. */
export function addSteps(a: Steps, b: Steps): Steps {
  return combine(a, b, false)
}

/** The curve `a / b`, 0 where b is 0. */
export function divideSteps(a: Steps, b: Steps): Steps {
  return { ...combine(a, b, true), ratio: true }
}

function combine(a: Steps, b: Steps, divide: boolean): Steps {
  const capacity = a.length + b.length
  const times = new Float64Array(capacity)
  const values = new Float64Array(capacity)
  const length = merge(a, b, divide, times, values)
  const resolution = Math.max(a.resolutionNs ?? 0, b.resolutionNs ?? 0)
  return { times, values, length, resolutionNs: resolution > 0 ? resolution : undefined }
}

function merge(a: Steps, b: Steps, divide: boolean, times: Float64Array, values: Float64Array): number {
  const aTimes = a.times
  const bTimes = b.times
  const aLength = a.length
  const bLength = b.length
  let i = 0
  let k = 0
  let x = 0
  let y = 0
  let n = 0
  while (i < aLength || k < bLength) {
    const nextA = i < aLength ? aTimes[i]! : Infinity
    const nextB = k < bLength ? bTimes[k]! : Infinity
    const at = nextA < nextB ? nextA : nextB
    if (nextA === at) x = a.values[i++]!
    if (nextB === at) y = b.values[k++]!
    times[n] = at
    values[n++] = divide ? (y > 0 ? x / y : 0) : x + y
  }
  return n
}
