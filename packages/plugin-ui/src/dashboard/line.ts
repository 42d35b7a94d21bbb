import { clean, cut, widthOf } from '../text.js'

/** What a piece of text means; `paint.ts` says how that looks. */
export type Style = 'plain' | 'dim' | 'frame' | 'strong' | 'accent' | 'good' | 'warn' | 'bad' | 'key'

export type Span = readonly [text: string, style?: Style]
/** One row of the screen, or a part of one. */
export type Line = readonly Span[]

const widthOfLine = (line: Line): number => line.reduce((sum, [text]) => sum + widthOf(text), 0)

/** The line in exactly `width` columns: cut with an ellipsis, or filled with blanks; nothing in it moves the cursor. */
export function fit(line: Line, width: number): Line {
  const fitted: Span[] = []
  let room = width
  for (const [raw, style] of line) {
    const text = clean(raw)
    const shown = cut(text, room)
    const used = widthOf(shown)
    if (used > 0) fitted.push(style ? [shown, style] : [shown])
    room -= used
    if (shown !== text) break
  }
  if (room > 0) fitted.push([' '.repeat(room)])
  return fitted
}

/** Left and right part, with a blank or more between them; the right part wins when there is not enough room. */
export function spread(left: Line, right: Line, width: number): Line {
  const rightWidth = Math.min(width, widthOfLine(right))
  const gap = rightWidth > 0 && rightWidth < width ? 1 : 0
  return [...fit(left, width - rightWidth - gap), ...fit([[' '.repeat(gap)], ...right], rightWidth + gap)]
}

/** Blocks of equal height beside each other. */
export const beside = (...blocks: Line[][]): Line[] => blocks[0]!.map((_, row) => blocks.flatMap((block) => block[row] ?? []))

export const right = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + cut(text, width)
export const left = (text: string, width: number): string => cut(text, width) + ' '.repeat(Math.max(0, width - widthOf(text)))
