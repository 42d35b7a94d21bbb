import { scramble } from '../timing/random.js'

export interface Ranked {
  readonly index: number
  /** From 0 to 1. */
  readonly score: number
}

/** Ranks passages by made-up scores that depend on nothing but their text, the best first. */
export function rank(query: string, passages: readonly string[]): Ranked[] {
  const scored = passages.map((passage, index) => ({ index, score: Number((scramble(sum(query) ^ sum(passage)) / 2 ** 32).toFixed(8)) }))
  return scored.sort((left, right) => right.score - left.score || left.index - right.index)
}

function sum(text: string): number {
  let total = 0
  for (let at = 0; at < text.length; at++) total = (Math.imul(total, 31) + text.charCodeAt(at)) | 0
  return total
}
