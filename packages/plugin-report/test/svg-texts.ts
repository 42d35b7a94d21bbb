import { isBold, textWidth } from '../src/render/font.js'

export interface Box { text: string; left: number; right: number; top: number; bottom: number }

/** Boxes of the visible horizontal texts of an SVG, in its own units. */
export function textBoxes(svg: string): Box[] {
  const boxes: Box[] = []
  const stack: { x: number; y: number }[] = [{ x: 0, y: 0 }]
  const token = /<g([^>]*?)(\/?)>|<\/g>|<text([^>]*)>([\s\S]*?)<\/text>/g
  for (const [whole, group, closed, attributes, content] of svg.replace(/<text[^>]*\/>/g, '').matchAll(token)) {
    if (whole === '</g>') stack.pop()
    else if (attributes === undefined) {
      if (closed !== '/') stack.push(moved(stack.at(-1)!, group!))
    } else {
      if (/opacity="0"/.test(attributes) || /rotate\(/.test(attributes)) continue
      const at = moved(stack.at(-1)!, attributes)
      const size = Number(/font-size="([\d.]+)px"/.exec(attributes)?.[1])
      const bold = isBold(/font-weight="(\w+)"/.exec(attributes)?.[1])
      const anchor = /text-anchor="(\w+)"/.exec(attributes)?.[1]
      const lines = content!.includes('<tspan') ? [...content!.matchAll(/<tspan[^>]*>([^<]*)<\/tspan>/g)].map((m) => m[1]!) : [content!]
      for (const [i, line] of lines.entries()) {
        const text = line.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
        const width = textWidth(text, size, bold)
        const left = at.x - (anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0)
        const base = at.y + i * size * 1.2
        boxes.push({ text, left, right: left + width, top: base - 0.72 * size, bottom: base + 0.05 * size })
      }
    }
  }
  return boxes
}

function moved({ x, y }: { x: number; y: number }, attributes: string): { x: number; y: number } {
  const [, dx, dy] = /translate\(([-\d.e]+),\s*([-\d.e]+)\)/.exec(attributes) ?? []
  return { x: x + Number(dx ?? 0), y: y + Number(dy ?? 0) }
}

/** Pairs of texts that cover each other. */
export function overlaps(boxes: readonly Box[]): string[] {
  const pairs: string[] = []
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1))
      if (a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5) pairs.push(`"${a.text}" over "${b.text}"`)
  return pairs
}
