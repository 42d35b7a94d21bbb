/** Number of single-character edits (insert, delete, replace, swap of neighbours) between two words, up to `limit`. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, beforeLast[j - 2]! + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

/** Spelling that ignores case and treats `-`, `_` alike. */
export const plain = (name: string): string => name.toLowerCase().replaceAll('-', '_')

/**
 * The candidates a person may have meant by `word`, nearest first: few typing errors away, or beginning with it.
 * Empty when nothing is near.
 */
export function nearest(word: string, candidates: Iterable<string>, count = 3): string[] {
  const wanted = plain(word)
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  const ranked: { candidate: string; distance: number }[] = []
  for (const candidate of new Set(candidates)) {
    const other = plain(candidate)
    const distance = edits(wanted, other, limit)
    const begins = wanted.replace(/^_+/, '').length >= 4 && other.startsWith(wanted)
    if (distance <= limit || begins) ranked.push({ candidate, distance: begins ? Math.min(distance, 1) : distance })
  }
  ranked.sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
  return ranked.slice(0, count).map((entry) => entry.candidate)
}

/** `a`, `a or b`, `a, b or c`. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** ` Did you mean chat or completions?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearest(word, candidates)
  return near.length === 0 ? '' : `Did you mean ${either(near)}?`
}
