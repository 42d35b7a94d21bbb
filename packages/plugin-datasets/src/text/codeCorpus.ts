import type { Random, Tokenizer } from '@aiperf/core'
import type { Corpus } from './corpus.js'
import { lexiconOf } from './lexicon.js'
import { PhrasePool } from './phrasePool.js'
import { pooledCorpus, proseCorpus } from './proseCorpus.js'

/**
 * Pieces of program: lines by indentation (two spaces of the outline are one level); `w` is any word. Symbols stand
 * between spaces, so that each is a token of its own.
 */
const PIECES = [
  'def w ( w , w ) :|  w = w + w|  if w > w :|    return w ( w )|  for w in w :|    w += w|  return w',
  'class w :|  def w ( self , w ) :|    self = w [ w ]|    return w == w',
  'for w in w ( w ) :|  if not w :|    continue|  w = w . w ( w , w )',
  'w = [ w , w , w ]|w = { w : w , w : w }|print ( w , w )',
  'import w|from w import w|w = w ( )',
  'try :|  w = w / w|except w as w :|  raise w ( w )',
  'with w ( w ) as w :|  while w < w :|    w = w * w - w',
  'function w ( w , w ) {|  const w = w . w|  let w = new w ( w )|  return w && w|}',
  'if ( w != w ) {|  w = w || null ;|}',
  'async function w ( w ) {|  await w ( w , true ) ;|  return { w : w } ;|}',
]
/** Units of a sample by which a pool is tried out. */
const SAMPLE = 4000
const LEVEL = 4

/** Generated program code; prose for vocabularies that cannot have it exact. */
export function codeCorpus(tokenizer: Tokenizer): Corpus {
  const lexicon = lexiconOf(tokenizer)
  if (!lexicon) return proseCorpus(tokenizer)
  const words = lexicon.words.map((word) => word.slice(1)).filter((word) => tokenizer.count(word) === 1 && tokenizer.count(`a\n${word}`) === tokenizer.count('a\na'))
  // Indented lines where the tokenizer keeps line ends and indentation apart from what follows; one long line where not.
  for (const layout of words.length === 0 ? [] : (['lines', 'one line'] as const)) {
    const pieces = PIECES.map((piece) => outline(tokenizer, piece, layout)).filter((piece) => piece !== undefined)
    if (pieces.length === 0) continue
    const pool = new PhrasePool(`code in ${layout}`, layout === 'lines' ? '' : ' ', (random) => fill(pieces[random.integer(0, pieces.length - 1)]!, words, random))
    if (fits(tokenizer, pool)) return pooledCorpus(tokenizer, lexicon, pool)
  }
  return proseCorpus(tokenizer)
}

function fits(tokenizer: Tokenizer, pool: PhrasePool): boolean {
  const stream: Random = { ...ZERO, integer: counter() }
  return tokenizer.count(pool.text(stream, SAMPLE)) === SAMPLE
}

/** A stream that goes through everything there is to choose from. */
function counter(): Random['integer'] {
  let next = 0
  return (low, high) => low + (next++ % (high - low + 1))
}
const ZERO: Random = { next: () => 0, integer: () => 0, normal: () => 0, exponential: () => 0, gamma: () => 0, fork: () => ZERO }

/** The units of a piece, `w` standing for a word to be filled in; undefined when one of its symbols is no token. */
function outline(tokenizer: Tokenizer, piece: string, layout: 'lines' | 'one line'): string[] | undefined {
  const units: string[] = []
  for (const line of piece.split('|')) {
    const indent = line.length - line.trimStart().length
    const symbols = line.trim().split(' ')
    const pad = layout === 'lines' && indent > 0 ? ' '.repeat((indent / 2) * LEVEL - 1) : ''
    if (pad) units.push(pad)
    symbols.forEach((symbol, at) => units.push(at === 0 && !pad && (layout === 'lines' || units.length === 0) ? symbol : ` ${symbol}`))
    // A line end belongs to the symbol before it: most tokenizers keep them together.
    if (layout === 'lines') {
      const last = units.pop()!
      if (/\w$/.test(last)) units.push(last, '\n')
      else units.push(`${last}\n`)
    }
  }
  return addsUp(tokenizer, units, layout === 'lines' ? 'a\n' : 'a ') ? units : undefined
}

/** Whether every unit is one token: after what may stand before the piece, and at the beginning of a text or part. */
function addsUp(tokenizer: Tokenizer, units: readonly string[], before: string): boolean {
  return [before, 'a ', ''].every((lead) => {
    let text = lead
    // The space before a word is part of its token.
    let count = tokenizer.count(lead.replace(/ $/, ''))
    return units.every((unit) => tokenizer.count((text += unit)) === ++count)
  })
}

function fill(units: readonly string[], words: readonly string[], random: Random): string[] {
  return units.map((unit) => {
    const bare = unit.trim()
    return bare === 'w' ? unit.replace('w', words[random.integer(0, words.length - 1)]!) : unit
  })
}
