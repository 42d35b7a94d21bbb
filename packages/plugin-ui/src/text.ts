import { stripVTControlCharacters } from 'node:util'
import { eastAsianWidth } from 'get-east-asian-width'

/** Control characters, marks that turn the direction of writing, and the like: what a server sends must not move the cursor. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g
const PLAIN = /^[\x20-\x7e]*$/
const ZERO_WIDTH = /^(?:\p{Mark}|\u200d|\ufe0f)$/u

/** Foreign text as one printable line. */
export const clean = (text: string): string => (PLAIN.test(text) ? text : stripVTControlCharacters(text).replace(UNPRINTABLE, ' '))

/** Columns the text takes. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

const characterWidth = (character: string): number => (ZERO_WIDTH.test(character) ? 0 : eastAsianWidth(character.codePointAt(0)!))

/** The text in at most `width` columns; what is cut off leaves an ellipsis. */
export function cut(text: string, width: number, ellipsis = '…'): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    const next = characterWidth(character)
    if (used + next > width - ellipsis.length) break
    kept += character
    used += next
  }
  return width < ellipsis.length ? '' : kept + ellipsis
}
