/** A rate at a time; between two points the rate is a straight line. Two points at one time are a jump. */
export interface RatePoint { seconds: number; rate: number }

/**
 * A rate over time, made of straight pieces, and its integral: the number of arrivals to expect up to a time.
 *
 * A process of mean gap 1, mapped through the inverse of the integral, has exactly this rate at every time, whatever
 * the law of its gaps (time rescaling: Çınlar, Introduction to Stochastic Processes, 1975, ch. 4.7). Nothing is drawn
 * again when the rate changes. Before the first point the rate is the first one's, after the last it is the last one's.
 */
export class RateCurve {
  readonly #seconds: number[] = []
  readonly #rate: number[] = []
  /** Expected arrivals before each point. */
  readonly #expected: number[] = []
  #hint = 0

  constructor(points: readonly RatePoint[]) {
    const first = points[0]
    if (!first || first.seconds > 0) this.#push(0, first?.rate ?? 0)
    for (const point of points) this.#push(point.seconds, point.rate)
  }

  /** Requests per second at a time. */
  at(seconds: number): number {
    const i = lastAtOrBefore(this.#seconds, seconds)
    return this.#rate[i]! + this.#slope(i) * (seconds - this.#seconds[i]!)
  }

  /** Expected arrivals up to a time. */
  expected(seconds: number): number {
    const i = lastAtOrBefore(this.#seconds, seconds)
    const dt = seconds - this.#seconds[i]!
    return this.#expected[i]! + dt * (this.#rate[i]! + (this.#slope(i) * dt) / 2)
  }

  /** The time, s, at which `expected` reaches `count`; Infinity when it never does. Fast for ascending counts. */
  timeOf(count: number): number {
    if (count < this.#expected[this.#hint]!) this.#hint = 0
    while (this.#hint + 1 < this.#expected.length && this.#expected[this.#hint + 1]! <= count) this.#hint++
    const i = this.#hint
    const work = count - this.#expected[i]!
    if (work <= 0) return this.#seconds[i]!
    const rate = this.#rate[i]!
    // The root of rate·t + slope·t²/2 = work, in the form that does not cancel.
    const t = (2 * work) / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * this.#slope(i) * work)))
    // Within the piece, whatever rounding says of a rate that is nearly 0.
    return Math.min(this.#seconds[i]! + t, this.#seconds[i + 1] ?? Infinity)
  }

  /** From `seconds` on the rate is `rate`; what was planned for later is forgotten. */
  change(seconds: number, rate: number): void {
    const before = this.at(seconds)
    while (this.#seconds.length > 1 && this.#seconds.at(-1)! >= seconds) {
      this.#seconds.pop()
      this.#rate.pop()
      this.#expected.pop()
    }
    this.#hint = 0
    this.#push(seconds, before)
    this.#push(seconds, rate)
  }

  #push(seconds: number, rate: number): void {
    const i = this.#seconds.length - 1
    const expected = i < 0 ? 0 : this.#expected[i]! + ((seconds - this.#seconds[i]!) * (this.#rate[i]! + rate)) / 2
    this.#seconds.push(seconds)
    this.#rate.push(rate)
    this.#expected.push(expected)
  }

  /** Change of the rate per second in piece i; 0 after the last point. */
  #slope(i: number): number {
    if (i + 1 >= this.#seconds.length) return 0
    const dt = this.#seconds[i + 1]! - this.#seconds[i]!
    return dt === 0 ? 0 : (this.#rate[i + 1]! - this.#rate[i]!) / dt
  }
}

function lastAtOrBefore(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (ascending[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}
