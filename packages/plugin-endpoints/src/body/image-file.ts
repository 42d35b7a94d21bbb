import { inlineMedia } from './media.js'
import { base64, type FormPart } from './multipart.js'
import { encodeError } from './turn.js'

/** First bytes of image formats (https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern). */
const MAGIC: readonly [mime: string, matches: (bytes: Uint8Array) => boolean][] = [
  ['image/png', (b) => latin1(b, 1, 4) === 'PNG'],
  ['image/jpeg', (b) => b[0] === 0xff && b[1] === 0xd8 && b[2] === 0xff],
  ['image/gif', (b) => /^GIF8[79]a$/.test(latin1(b, 0, 6))],
  ['image/webp', (b) => latin1(b, 0, 4) === 'RIFF' && latin1(b, 8, 12) === 'WEBP'],
  ['image/bmp', (b) => latin1(b, 0, 2) === 'BM'],
]

/** An image as a form carries it: a file, or for a web address the field `url`. */
export function imagePart(name: string, content: string): FormPart {
  if (/^https?:\/\//i.test(content)) return { name: 'url', value: content }
  const media = content.startsWith('data:') ? inlineMedia(content) : { mime: undefined, base64: content.slice(content.indexOf(',') + 1) }
  const file = base64(media?.base64, 'an image')
  const mime = media?.mime ?? MAGIC.find(([, matches]) => matches(file))?.[0]
  if (mime === undefined) throw encodeError('the format of an image cannot be told: it is no data URL, and none of PNG, JPEG, GIF, WebP or BMP')
  return { name, file, fileName: `image.${mime.slice(mime.indexOf('/') + 1).replace('jpeg', 'jpg')}`, contentType: mime }
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}
