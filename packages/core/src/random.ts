import { createHash } from 'node:crypto'
import type { Random } from './contracts/random.js'

/**
 * A random stream named `name` under a root seed: xoshiro128** seeded with SHA-256 of `"<root>:<name>"`.
 * Reproducible with itself on every machine; it does not reproduce the numbers of other implementations.
 */
export function createRandom(root: number | string, name: string): Random {
  return new Xoshiro(`${root}:${name}`)
}

class Xoshiro implements Random {
  readonly #key: string
  #a: number
  #b: number
  #c: number
  #d: number
  #spare = Number.NaN

  constructor(key: string) {
    this.#key = key
    const h = createHash('sha256').update(key).digest()
    this.#a = h.readUInt32LE(0)
    this.#b = h.readUInt32LE(4)
    this.#c = h.readUInt32LE(8)
    this.#d = h.readUInt32LE(12) | 1
  }

  #word(): number {
    const m = Math.imul(this.#b, 5)
    const result = Math.imul((m << 7) | (m >>> 25), 9)
    const t = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= t
    this.#d = (this.#d << 11) | (this.#d >>> 21)
    return result >>> 0
  }

  next(): number {
    const high = this.#word() >>> 5
    const low = this.#word() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  normal(mean = 0, stddev = 1): number {
    if (!Number.isNaN(this.#spare)) {
      const z = this.#spare
      this.#spare = Number.NaN
      return mean + stddev * z
    }
    // Marsaglia's polar method: exact, and no trigonometry whose last digit differs between machines.
    let u: number, v: number, s: number
    do {
      u = 2 * this.next() - 1
      v = 2 * this.next() - 1
      s = u * u + v * v
    } while (s >= 1 || s === 0)
    const f = Math.sqrt((-2 * Math.log(s)) / s)
    this.#spare = v * f
    return mean + stddev * u * f
  }

  exponential(mean = 1): number {
    return -mean * Math.log1p(-this.next())
  }

  /** Marsaglia and Tsang (2000); shapes below 1 by the power trick. */
  gamma(shape: number, scale: number): number {
    if (shape < 1) return this.gamma(shape + 1, scale) * Math.pow(1 - this.next(), 1 / shape)
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const x = this.normal()
      const v = (1 + c * x) ** 3
      if (v <= 0) continue
      const u = 1 - this.next()
      if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return scale * d * v
    }
  }

  fork(key: string | number): Random {
    return new Xoshiro(`${this.#key}/${key}`)
  }
}
