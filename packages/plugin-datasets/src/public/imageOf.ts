import { isJsonObject, type Json } from '@aiperf/core'

/** The first image of a column as a JPEG `data:` URL; undefined when there is none that can be read. */
export async function imageOf(value: Json | undefined): Promise<string | undefined> {
  const first = Array.isArray(value) ? value[0] : value
  const bytes = bytesOf(first)
  if (!bytes) return typeof first === 'string' && /^(https?:|data:)/.test(first) ? first : undefined
  const { default: sharp } = await import('sharp')
  const jpeg = await sharp(bytes).flatten().jpeg().toBuffer().catch(() => undefined)
  return jpeg && `data:image/jpeg;base64,${jpeg.toString('base64')}`
}

/** Bytes of a cell as the hub's image and audio columns hold them: `{bytes, path}`, or the bytes alone. */
export function bytesOf(value: Json | undefined): Buffer | undefined {
  if (!isJsonObject(value)) return undefined
  const inner = value['bytes']
  if (typeof inner === 'string') return Buffer.from(inner, 'base64')
  return isJsonObject(inner) && typeof inner['bytes'] === 'string' ? Buffer.from(inner['bytes'], 'base64') : undefined
}
