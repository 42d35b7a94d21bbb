import type { Glyphs } from './glyphs.js'
import { fit, type Line } from './line.js'
import { widthOf } from '../text.js'

/** A framed block of exactly `width` × `height`; `key` is the key that enlarges it. */
export function panel(title: string, key: string, content: Line[], width: number, height: number, g: Glyphs, note = ''): Line[] {
  const [topLeft, topRight, bottomLeft, bottomRight] = g.corners
  const inner = width - 4
  const noteText = note && widthOf(title) + widthOf(note) + 10 < width ? ` ${note} ` : ''
  const rest = width - 2 - 2 - widthOf(key) - 1 - widthOf(title) - 1 - widthOf(noteText) - 1
  const top: Line = [
    [`${topLeft}${g.horizontal} `, 'frame'],
    [key, 'key'],
    [' '],
    [title, 'strong'],
    [` ${g.horizontal.repeat(Math.max(0, rest))}`, 'frame'],
    [noteText, 'dim'],
    [`${g.horizontal}${topRight}`, 'frame'],
  ]
  const side: Line = [[g.vertical, 'frame']]
  const rows = Array.from({ length: Math.max(0, height - 2) }, (_, i): Line => [...side, [' '], ...fit(content[i] ?? [], inner), [' '], ...side])
  const bottom: Line = [[`${bottomLeft}${g.horizontal.repeat(width - 2)}${bottomRight}`, 'frame']]
  return [fit(top, width), ...rows, bottom]
}
