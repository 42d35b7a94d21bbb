import { AiperfError } from '@aiperf/core'
import { outlineText } from './outline-text.js'

/** Pixels of an SVG: `scale` of them per unit of length. Needs no browser, and no font for Latin letters. */
export async function renderPng(svg: string, scale: number): Promise<Uint8Array> {
  let sharp: typeof import('sharp').default
  try {
    sharp = (await import('sharp')).default
  } catch (cause) {
    throw new AiperfError('E_EXPORT', `PNG needs the image library sharp, which does not load here: ${(cause as Error).message.split('\n')[0]}`, { hint: 'Use --format svg, or reinstall with optional dependencies.', cause })
  }
  return sharp(Buffer.from(outlineText(svg)), { density: 72 * scale, limitInputPixels: 4e8 }).png({ compressionLevel: 9, palette: false }).toBuffer()
}
