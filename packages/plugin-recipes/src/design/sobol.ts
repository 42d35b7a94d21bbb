import type { Random } from '@aiperf/core'

/**
 * Primitive polynomials and initial direction numbers of the dimensions from the second on: coefficients as bits, then
 * m₁ … m_s (Joe and Kuo 2008, "Constructing Sobol sequences with better two-dimensional projections").
 */
const DIRECTIONS: readonly (readonly [number, ...number[]])[] = [
  [0, 1],
  [1, 1, 3],
  [1, 1, 3, 1],
  [2, 1, 1, 1],
  [1, 1, 1, 3, 3],
  [4, 1, 3, 5, 13],
  [2, 1, 1, 5, 5, 17],
  [4, 1, 1, 5, 5, 5],
  [7, 1, 1, 7, 11, 19],
  [11, 1, 1, 5, 1, 1],
  [13, 1, 1, 1, 3, 11],
  [14, 1, 3, 5, 5, 31],
  [1, 1, 3, 3, 9, 7, 49],
  [13, 1, 1, 1, 15, 21, 21],
  [16, 1, 3, 1, 13, 27, 49],
  [19, 1, 1, 1, 15, 7, 5],
  [22, 1, 3, 1, 15, 13, 25],
  [25, 1, 1, 5, 5, 19, 61],
  [1, 1, 3, 7, 11, 23, 15, 103],
  [4, 1, 3, 7, 13, 13, 15, 69],
]
const BITS = 32
const SCALE = 2 ** -BITS
export const MOST_DIMENSIONS = DIRECTIONS.length + 1

/** The i-th point of a Sobol sequence in [0, 1)^dimensions; with `random`, each coordinate scrambled after Owen. */
export class Sobol {
  readonly #directions: Uint32Array[]
  readonly #seeds: number[] | undefined

  constructor(dimensions: number, random?: Random) {
    if (dimensions > MOST_DIMENSIONS) throw new RangeError(`A Sobol sequence here has at most ${MOST_DIMENSIONS} dimensions, not ${dimensions}`)
    this.#directions = Array.from({ length: dimensions }, (_, d) => directionNumbers(d))
    this.#seeds = random && this.#directions.map(() => random.integer(0, 0xffffffff))
  }

  at(index: number): number[] {
    // Gray code: the sequence's own order differs only within blocks of powers of two.
    const gray = (index ^ (index >>> 1)) >>> 0
    return this.#directions.map((direction, d) => {
      let word = 0
      for (let bit = 0; bit < BITS; bit++) if ((gray >>> bit) & 1) word ^= direction[bit]!
      return (this.#seeds ? owen(word >>> 0, this.#seeds[d]!) : word >>> 0) * SCALE
    })
  }
}

function directionNumbers(dimension: number): Uint32Array {
  const v = new Uint32Array(BITS)
  if (dimension === 0) {
    for (let i = 0; i < BITS; i++) v[i] = 2 ** (BITS - 1 - i)
    return v
  }
  const [polynomial, ...m] = DIRECTIONS[dimension - 1]!
  const s = m.length
  for (let i = 0; i < BITS; i++) {
    if (i < s) {
      v[i] = m[i]! * 2 ** (BITS - 1 - i)
      continue
    }
    let word = v[i - s]! ^ (v[i - s]! >>> s)
    for (let k = 1; k < s; k++) if ((polynomial! >>> (s - 1 - k)) & 1) word ^= v[i - k]!
    v[i] = word >>> 0
  }
  return v
}

/** Nested uniform scrambling by a hash that lets higher bits alone (Laine and Karras 2011, constants of Burley 2020). */
function owen(word: number, seed: number): number {
  let x = reversed(word)
  x = (x + seed) >>> 0
  x ^= Math.imul(x, 0x6c50b47c)
  x ^= Math.imul(x, 0xb82f1e52)
  x ^= Math.imul(x, 0xc7afe638)
  x ^= Math.imul(x, 0x8d22f6e6)
  return reversed(x >>> 0)
}

function reversed(word: number): number {
  let x = word
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1)
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2)
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4)
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8)
  return ((x >>> 16) | (x << 16)) >>> 0
}
