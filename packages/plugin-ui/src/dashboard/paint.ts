import type { Line, Style } from './line.js'

type Codes = Partial<Record<Style, string>>

/** By colour depth in bits. Meaning never hangs on colour alone: every warning has a sign and words. */
const MONOCHROME: Codes = { strong: '1', key: '1' }
const SIXTEEN: Codes = { dim: '90', frame: '90', strong: '1', accent: '32', good: '32', warn: '33', bad: '91', key: '1;32' }
const MANY: Codes = { dim: '38;5;245', frame: '38;5;239', strong: '1', accent: '38;5;113', good: '38;5;113', warn: '38;5;221', bad: '38;5;203', key: '1;38;5;113' }

/** Makes a terminal's text of lines; `depth` is what `tty.WriteStream.getColorDepth` says, which keeps NO_COLOR. */
export function painter(depth: number): (line: Line) => string {
  const codes = depth >= 8 ? MANY : depth >= 4 ? SIXTEEN : MONOCHROME
  return (line) => line.map(([text, style]) => (style && codes[style] ? `\x1b[${codes[style]}m${text}\x1b[0m` : text)).join('')
}
