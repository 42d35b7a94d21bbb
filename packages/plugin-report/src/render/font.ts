import { readFileSync } from 'node:fs'

interface FontTable {
  units: number
  /** Per weight and letter: width and outline, in units of the em. */
  weights: Record<string, Record<string, [advance: number, path: string]>>
}

let table: FontTable | undefined
const load = (): FontTable => (table ??= JSON.parse(readFileSync(new URL('../../dist/assets/inter.json', import.meta.url), 'utf8')) as FontTable)

/** Letters that the table lacks are taken to be this wide: East Asian ones fill the em. */
const unknownWidth = (char: string): number => (char.codePointAt(0)! >= 0x2e80 ? 1 : 0.62)
const glyphsOf = (bold: boolean): FontTable['weights'][string] => load().weights[bold ? '600' : '400']!

export const isBold = (weight: unknown): boolean => weight === 'bold' || Number(weight) >= 550

/** Width of a text, px. */
export function textWidth(text: string, sizePx: number, bold = false): number {
  const glyphs = glyphsOf(bold)
  const { units } = load()
  let em = 0
  for (const char of text) em += glyphs[char] ? glyphs[char][0] / units : unknownWidth(char)
  return em * sizePx
}

/** Length of one of the font's units, in which outlines are drawn, px. */
export const unitPx = (sizePx: number): number => sizePx / load().units

/** A text's outline from the origin rightwards, as one SVG path; undefined when the table lacks a letter. */
export function outline(text: string, sizePx: number, bold: boolean): string | undefined {
  const glyphs = glyphsOf(bold)
  const scale = unitPx(sizePx)
  const parts: string[] = []
  let x = 0
  for (const char of text) {
    const glyph = glyphs[char]
    if (!glyph) return undefined
    if (glyph[1] !== '') parts.push(`<path transform="translate(${round(x * scale)}) scale(${round(scale)})" d="${glyph[1]}"/>`)
    x += glyph[0]
  }
  return parts.join('')
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4
