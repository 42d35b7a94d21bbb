/**
 * The words of generated answers. Each, with a leading space, is exactly one token of o200k_base, cl100k_base,
 * p50k_base and r50k_base, so that a client that tokenizes N words counts N tokens.
 */
const alphabet = `
  the of and to in is that for it as was with be by on not he his but at are this have from or had an they
  which one you were all her she there would their we him been has when who will no more if out so up said
  what its about than into them can only other time new some could these two may first then do any like my
  now over such our man me even most made after also did many off before must well back through years where
  much your way down should because long each just state those people too little good world make very year
  still see own work men day get here old life both between being under three never know same last another
  while us might great go come since against right came take used himself few house use place during high
  without again home around small however found part school every united number course war until always away
  something fact water less public put thing almost hand enough took head yet government system better set
  told nothing night end why called didn eyes find going look asked later knew point next program city
  business give group toward young let room days given present second side order possible rather face per
  among form important often things early white case big need best within felt along children saw power times
  words least means sense turned interest several field area kind open light week story family test
`.trim().split(/\s+/)

export const words: readonly string[] = alphabet.map((word) => ' ' + word)

const ring = words.join('')
const offsets = words.reduce<number[]>((ends, word) => [...ends, ends.at(-1)! + word.length], [0])

/** The text of `count` words of the endless ring of words, from position `start` on. */
export function wordsFrom(start: number, count: number): string {
  const first = start % words.length
  if (count === 1) return words[first]!
  const inFirstTurn = Math.min(count, words.length - first)
  const head = ring.slice(offsets[first], offsets[first + inFirstTurn])
  const rest = count - inFirstTurn
  if (rest === 0) return head
  const turns = Math.floor(rest / words.length)
  return head + ring.repeat(turns) + ring.slice(0, offsets[rest % words.length])
}
