/** A seeded stream of random numbers. The same root seed and name give the same numbers on every machine. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number
  /** Uniform integer in [low, high], both included. */
  integer(low: number, high: number): number
  /** Normal variate. */
  normal(mean?: number, stddev?: number): number
  /** Exponential variate with the given mean. */
  exponential(mean?: number): number
  /** Gamma variate with shape k and scale θ (mean kθ). */
  gamma(shape: number, scale: number): number
  /** A stream of its own for entry `key`, so that entry i does not depend on other draws. */
  fork(key: string | number): Random
}
