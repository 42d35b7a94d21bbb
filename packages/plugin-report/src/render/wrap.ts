import { textWidth } from './font.js'

/** Breaks a text at spaces into lines no wider than `width` px. */
export function wrap(text: string, width: number, sizePx: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && textWidth(longer, sizePx) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  if (line !== '') lines.push(line)
  return lines
}
