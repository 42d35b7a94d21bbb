/** Characters that draw; plain ASCII where the locale or the terminal has no others. */
export interface Glyphs {
  corners: readonly [string, string, string, string]
  horizontal: string
  vertical: string
  barFull: string
  barRest: string
  /** Rising levels of a sparkline; none fills the cell, so that rows stay apart. */
  levels: readonly string[]
  /** Charts are drawn in braille dots, 2 × 4 of them in a cell; else one mark in a cell. */
  braille: boolean
  done: string
  running: string
  warning: string
  dot: string
  upDown: string
}

export const UNICODE: Glyphs = {
  corners: ['╭', '╮', '╰', '╯'],
  horizontal: '─',
  vertical: '│',
  barFull: '━',
  barRest: '─',
  levels: ['▁', '▂', '▃', '▄', '▅', '▆', '▇'],
  braille: true,
  done: '✓',
  running: '▸',
  warning: '▲',
  dot: '·',
  upDown: '↑↓',
}

export const ASCII: Glyphs = {
  corners: ['+', '+', '+', '+'],
  horizontal: '-',
  vertical: '|',
  barFull: '=',
  barRest: '.',
  levels: ['_', '.', ':', '-', '=', '+', '*'],
  braille: false,
  done: 'x',
  running: '>',
  warning: '!',
  dot: '-',
  upDown: 'up/down',
}

/** Unicode, unless the locale says plainly that there is none. */
export function glyphsFor(env: NodeJS.ProcessEnv): Glyphs {
  if (env.TERM === 'linux' || env.TERM === 'dumb') return ASCII
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG
  return !locale || /utf-?8/i.test(locale) || !/^(C|POSIX|.*\.(iso|latin|ascii|ansi).*)$/i.test(locale) ? UNICODE : ASCII
}
