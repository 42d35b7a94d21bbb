// Writes dist/assets/inter.json: widths and outlines of the Latin letters of Inter (SIL Open Font License 1.1). Pictures are
// laid out with these widths and drawn with these outlines, so that they come out alike on machines with any fonts or none.
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const { parse } = require('opentype.js')
const inter = dirname(require.resolve('@fontsource/inter/package.json'))
const assets = join(dirname(import.meta.dirname), 'dist', 'assets')
const target = join(assets, 'inter.json')
const WEIGHTS = [400, 600]
const UNITS = 1000

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (modified(target) < Math.max(modified(import.meta.filename), modified(join(inter, 'package.json')))) {
  const weights = {}
  for (const weight of WEIGHTS) {
    const glyphs = {}
    for (const subset of ['latin', 'latin-ext']) {
      const bytes = readFileSync(join(inter, 'files', `inter-${subset}-${weight}-normal.woff`))
      const font = parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
      const scale = UNITS / font.unitsPerEm
      for (let i = 0; i < font.glyphs.length; i++) {
        const glyph = font.glyphs.get(i)
        for (const code of glyph.unicodes ?? []) {
          const char = String.fromCodePoint(code)
          if (code < 32 || (code > 0x24f && (code < 0x2000 || code > 0x22ff)) || char in glyphs) continue
          glyphs[char] = [Math.round(glyph.advanceWidth * scale), glyph.getPath(0, 0, UNITS).toPathData(0)]
        }
      }
    }
    weights[weight] = glyphs
  }
  mkdirSync(assets, { recursive: true })
  writeFileSync(target, JSON.stringify({ units: UNITS, weights }))
  copyFileSync(join(inter, 'LICENSE'), join(assets, 'inter-LICENSE.txt'))
}
