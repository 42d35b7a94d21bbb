type Paint = (text: string) => string

/** Marks of importance: ANSI colours on a terminal, plain text elsewhere. */
export interface Style {
  readonly color: boolean
  bold: Paint
  dim: Paint
  good: Paint
  warn: Paint
  bad: Paint
  accent: Paint
  /** A word on a coloured ground; `[WORD]` without colour. */
  badge(word: string, level: 'good' | 'warn' | 'bad'): string
}

const sgr = (open: number, close: number): Paint => (text) => (text === '' ? '' : `\u001B[${open}m${text}\u001B[${close}m`)
const plain: Paint = (text) => text
const GROUND = { good: 42, warn: 43, bad: 41 } as const

export function style(color: boolean): Style {
  if (!color) return { color, bold: plain, dim: plain, good: plain, warn: plain, bad: plain, accent: plain, badge: (word) => `[${word}]` }
  return {
    color,
    bold: sgr(1, 22),
    dim: sgr(2, 22),
    good: sgr(32, 39),
    warn: sgr(33, 39),
    bad: sgr(31, 39),
    accent: sgr(36, 39),
    badge: (word, level) => `\u001B[30;${GROUND[level]};1m ${word} \u001B[0m`,
  }
}
