/*
 * The patterns by which the tiktoken encodings cut a text before byte-pair merging. Their regular expressions are
 * written for another engine: its \s is the Unicode property White_Space (which has U+0085 and not U+FEFF, unlike
 * JavaScript's), and its (?i:s) also matches U+017F, the long s. Possessive quantifiers are left out where the
 * next atom cannot match what they hold.
 */
const SPACE = String.raw`\p{White_Space}`
const NOT_SPACE = String.raw`\P{White_Space}`
const CONTRACTION = String.raw`'(?:[sSſtTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])`
const UPPER = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const LOWER = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const LEAD = String.raw`[^\r\n\p{L}\p{N}]?`
const SYMBOLS = String.raw` ?[^${SPACE}\p{L}\p{N}]+`

const pattern = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'), 'gu')

/** New pattern objects on every call: they carry a position. Every character of a text is in exactly one match. */
export const splitPatterns = {
  o200k: () =>
    pattern(
      `${LEAD}${UPPER}*${LOWER}+(?:${CONTRACTION})?`,
      `${LEAD}${UPPER}+${LOWER}*(?:${CONTRACTION})?`,
      String.raw`\p{N}{1,3}`,
      String.raw`${SYMBOLS}[\r\n/]*`,
      String.raw`${SPACE}*[\r\n]+`,
      `${SPACE}+(?!${NOT_SPACE})`,
      `${SPACE}+`,
    ),
  cl100k: () =>
    pattern(
      CONTRACTION,
      String.raw`${LEAD}\p{L}+`,
      String.raw`\p{N}{1,3}`,
      String.raw`${SYMBOLS}[\r\n]*`,
      `${SPACE}+$`,
      String.raw`${SPACE}*[\r\n]`,
      `${SPACE}+(?!${NOT_SPACE})`,
      SPACE,
    ),
  r50k: () =>
    pattern(
      `'(?:[sdmt]|ll|ve|re)`,
      String.raw` ?\p{L}+`,
      String.raw` ?\p{N}+`,
      SYMBOLS,
      `${SPACE}+(?!${NOT_SPACE})`,
      SPACE,
    ),
}
