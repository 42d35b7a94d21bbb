import { isBold, outline, textWidth, unitPx } from './font.js'

const TEXT = /<text([^>]*)>([\s\S]*?)<\/text>/g
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g

/**
 * Replaces the texts of an SVG by their outlines, so that turning it into pixels needs no font. A text with letters that
 * the own font lacks stays a text.
 */
export function outlineText(svg: string): string {
  return svg.replace(/<text[^>]*\/>/g, '').replace(TEXT, (whole, attributes: string, content: string) => {
    const at = new Map([...attributes.matchAll(ATTRIBUTE)].map(([, name, value]) => [name!, value!]))
    if (at.get('opacity') === '0') return ''
    const size = Number.parseFloat(at.get('font-size') ?? '12')
    const bold = isBold(at.get('font-weight'))
    let y = 0
    const lines: string[] = []
    for (const { text, dy } of linesOf(content)) {
      y += dy
      const drawn = outline(text, size, bold)
      if (drawn === undefined) return whole
      const width = textWidth(text, size, bold)
      const anchor = at.get('text-anchor')
      const x = anchor === 'middle' ? -width / 2 : anchor === 'end' ? -width : 0
      lines.push(`<g transform="translate(${x.toFixed(2)},${y})">${rim(drawn, at, size)}${drawn}</g>`)
    }
    const kept = ['transform', 'fill', 'opacity', 'fill-opacity'].flatMap((name) => (at.has(name) ? [`${name}="${at.get(name)}"`] : []))
    return `<g ${kept.join(' ')}>${lines.join('')}</g>`
  })
}

/** A stroke lies below all letters, so that none is cut by that of the next. */
function rim(drawn: string, at: ReadonlyMap<string, string>, size: number): string {
  const color = at.get('stroke')
  return color?.startsWith('#') ? `<g stroke="${color}" stroke-width="${Number(at.get('stroke-width') ?? 1) / unitPx(size)}" stroke-linejoin="round">${drawn}</g>` : ''
}

function linesOf(content: string): { text: string; dy: number }[] {
  if (!content.includes('<tspan')) return [{ text: unescape(content), dy: 0 }]
  return [...content.matchAll(/<tspan([^>]*)>([^<]*)<\/tspan>/g)].map(([, attributes, text]) => ({ text: unescape(text!), dy: Number(/dy="([\d.]+)"/.exec(attributes!)?.[1] ?? 0) }))
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const unescape = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!)
