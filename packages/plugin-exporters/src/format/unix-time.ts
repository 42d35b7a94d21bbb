const SECOND = 1_000_000_000

/**
 * Wall-clock times as decimal digits of Unix ns, without a bigint per time: the anchor is split into whole seconds and
 * the rest, both exact as doubles.
 */
export class UnixTime {
  readonly #seconds: number
  readonly #rest: number

  /** @param zero Unix ns of the run clock's 0. */
  constructor(zero: bigint) {
    this.#seconds = Number(zero / BigInt(SECOND))
    this.#rest = Number(zero % BigInt(SECOND))
  }

  /** Whole Unix seconds of a time on the run's clock (ns). */
  seconds(ns: number): number {
    return this.#seconds + Math.floor((this.#rest + Math.round(ns)) / SECOND)
  }

  /** The nanoseconds within that second. */
  nanoseconds(ns: number): number {
    const t = this.#rest + Math.round(ns)
    return t - Math.floor(t / SECOND) * SECOND
  }

  digits(ns: number): string {
    const seconds = this.seconds(ns)
    return seconds === 0 ? String(this.nanoseconds(ns)) : `${seconds}${String(this.nanoseconds(ns)).padStart(9, '0')}`
  }
}

/** ISO 8601 in UTC to the microsecond with `+00:00`, which every reader of dates takes. */
export function isoUtc(unixNs: bigint): string {
  const micros = unixNs / 1000n
  const whole = new Date(Number(micros / 1000n)).toISOString()
  return `${whole.slice(0, 23)}${String(micros % 1000n).padStart(3, '0')}+00:00`
}

/** Unix ns of a time on the run's clock; undefined for a time that never came. */
export function unixTime(run: { unixNs(ns: number): bigint }, ns: number): bigint | undefined {
  return Number.isFinite(ns) ? run.unixNs(ns) : undefined
}
