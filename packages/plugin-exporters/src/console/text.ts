import { stripVTControlCharacters } from 'node:util'

/** Columns that a text takes on a terminal: colours take none, CJK characters and emoji two each. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of stripVTControlCharacters(text)) width += WIDE.test(character) ? 2 : ZERO.test(character) ? 0 : 1
  return width
}
const WIDE = /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u
const ZERO = /\p{M}|\u200D|\uFE0F/u

/** Text from outside (a server's message) made harmless for a terminal: one line, no control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

/** Lines of at most `width` columns, broken between words; a longer word is cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (let word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (textWidth(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    while (textWidth(word) > width) {
      let end = 0
      let taken = ''
      for (const character of word) {
        if (textWidth(taken + character) > width && taken !== '') break
        taken += character
        end += character.length
      }
      lines.push(taken)
      word = word.slice(end)
    }
    line = word
  }
  lines.push(line)
  return lines
}
