import type { Glyphs } from './glyphs.js'

/** What the height stands for: all values, and a fifth of the largest at least, so that noise stays small. */
export function rangeOf(values: readonly number[]): { low: number; high: number } {
  let low = Infinity
  let high = 0
  for (const v of values) {
    if (v < low) low = v
    if (v > high) high = v
  }
  if (high - low >= high / 5) return { low, high }
  const middle = (low + high) / 2
  return { low: middle - high / 10, high: middle + high / 10 }
}

const share = (value: number, { low, high }: { low: number; high: number }): number => (high > low ? (value - low) / (high - low) : 0)

/** The last `width` values as one row of rising blocks. */
export function sparkline(values: readonly number[], width: number, g: Glyphs): string {
  const shown = width > 0 ? values.slice(-width) : []
  const range = rangeOf(shown)
  return shown.map((v) => g.levels[Math.round(share(v, range) * (g.levels.length - 1))]!).join('')
}

/** All values as one line over `width` × `height` cells. */
export function chart(values: readonly number[], width: number, height: number, g: Glyphs): string[] {
  const [across, down] = g.braille ? [2, 4] : [1, 1]
  const points = resample(values, width * across)
  const range = rangeOf(values)
  const cells = Array.from({ length: height }, () => new Uint8Array(width))
  const rowOf = (v: number) => Math.round((1 - share(v, range)) * (height * down - 1))
  points.forEach((v, x) => {
    // From the row of the value before, so that steep lines stay whole.
    const to = rowOf(v)
    const from = x > 0 ? rowOf(points[x - 1]!) : to
    for (let y = Math.min(from, to); y <= Math.max(from, to); y++) {
      if (!g.braille && y !== to) continue
      cells[Math.floor(y / down)]![Math.floor(x / across)]! |= g.braille ? DOTS[y % 4]![x % 2]! : 1
    }
  })
  return cells.map((row) => Array.from(row, (dots) => (dots === 0 ? ' ' : g.braille ? String.fromCharCode(0x2800 + dots) : '*')).join(''))
}

/** Bits of the dots of a braille cell, by row and column. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
]

/** `width` values that stand for all: means where there are more, points of the line between them where there are fewer. */
function resample(values: readonly number[], width: number): number[] {
  return Array.from({ length: width }, (_, i) => {
    if (values.length <= width) {
      const at = (i / (width - 1)) * (values.length - 1)
      const left = values[Math.floor(at)]!
      return left + (values[Math.ceil(at)]! - left) * (at % 1)
    }
    const part = values.slice(Math.floor((i * values.length) / width), Math.floor(((i + 1) * values.length) / width))
    return part.reduce((a, b) => a + b, 0) / part.length
  })
}

/** A bar of `width` columns filled to `share`, as its full and its empty part. */
export function bar(filled: number, width: number, g: Glyphs): [full: string, rest: string] {
  const full = Math.round(Math.min(1, Math.max(0, filled)) * width)
  return [g.barFull.repeat(full), g.barRest.repeat(Math.max(0, width - full))]
}
