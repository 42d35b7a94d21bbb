import type { Figure } from '@aiperf/core'
import { documentOf, type Frame } from '../figure/document.js'
import { placeLabels } from '../figure/labels.js'
import { FONT, FONT_STACK, styleOf } from '../figure/theme.js'
import { isBold, textWidth } from './font.js'
import { wrap } from './wrap.js'

const NOTE_SIZE = 11.5
const NOTE_LINE = 16
const MARGIN = 16

let engines: Promise<{ vega: typeof import('vega'); compile: typeof import('vega-lite').compile }> | undefined
const load = () =>
  (engines ??= (async () => {
    const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')])
    // Without a canvas Vega guesses widths; what is drawn is measured instead.
    const { textMetrics } = vega as unknown as { textMetrics: { width(item: { fontSize?: number; fontWeight?: unknown }, text: unknown): number } }
    textMetrics.width = (item, text) =>
      Math.max(0, ...[text].flat().map((line) => textWidth(String(line ?? ''), item.fontSize ?? 11, isBold(item.fontWeight))))
    return { vega, compile }
  })())

/** A figure with its title above and its notes below, as SVG with texts. */
export async function renderSvg(figure: Figure, frame: Frame): Promise<string> {
  const { vega, compile } = await load()
  const { theme, width, height } = frame
  const room = width - 2 * MARGIN
  const notes = (figure.notes ?? []).flatMap((note) => wrap(note, room, NOTE_SIZE))
  const footer = notes.length === 0 ? 0 : notes.length * NOTE_LINE + 6
  const subtitle = figure.subtitle === undefined ? [] : wrap(figure.subtitle, room, 12.5)
  const spec = documentOf(figure, { ...frame, height: height - footer }, subtitle)
  const faults: string[] = []
  const logger = { warn: () => logger, info: () => logger, debug: () => logger, error: (...words: unknown[]) => (faults.push(words.join(' ')), logger), level: () => logger }
  const compiled = placeLabels(compile(spec as never, { logger: logger as never }).spec)
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', logger: logger as never })
  try {
    const drawn = await view.toSVG()
    // Vega tells of faults and goes on; what it drew is worth nothing.
    if (faults.length > 0) throw new Error(faults.join('; '))
    if (!(view.width() > 1 && view.height() > 1)) throw new Error(`no room is left for the picture in ${width} by ${height} px`)
    const { muted, background } = styleOf(theme)
    const lines = notes.map((note, i) => `<text font-family="${FONT}" font-size="${NOTE_SIZE}px" fill="${muted}" transform="translate(${MARGIN},${height - footer + 4 + i * NOTE_LINE})">${escape(note)}</text>`)
    // The rim of a letter lies below it: labels stay readable where lines cross them.
    const inner = drawn.replace(/^[\s\S]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '').replace(/<text(?=[^>]* stroke="#)/g, '<text paint-order="stroke"')
    const head = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`
    const said = `<title>${escape(frame.title ?? '')}</title><desc>${escape(figure.description)}</desc>`
    return `${head}${said}<rect width="100%" height="100%" fill="${background}"/>${inner}${lines.join('')}</svg>`
  } finally {
    view.finalize()
  }
}

/** For files: with fonts that other machines have. */
export const withFontStack = (svg: string): string => svg.replaceAll(`font-family="${FONT}"`, `font-family="${FONT_STACK}"`)

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
