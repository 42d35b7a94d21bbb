import { readFile } from 'node:fs/promises'
import { dirname, extname, isAbsolute, resolve } from 'node:path'
import { existsSync } from 'node:fs'

export type Medium = 'image' | 'audio' | 'video'

const MIME: Record<string, string> = { jpg: 'jpeg', tif: 'tiff', svg: 'svg+xml', mov: 'quicktime', mkv: 'x-matroska' }
const AUDIO_INLINE = /^(wav|mp3|flac|ogg|opus|m4a|aac|webm|pcm16),/

/**
 * What a dataset says of a medium, as endpoints take it: URLs, `data:` URLs and `<format>,<base64>` audio stay as they
 * are; anything else is a file, looked for beside the dataset and then in the working directory, and is read.
 *
 * @throws Error saying what was expected.
 */
export async function mediaContent(text: string, medium: Medium, datasetPath: string | undefined): Promise<string> {
  if (text.startsWith('data:') || (medium === 'audio' && AUDIO_INLINE.test(text))) return text
  if (text.includes('://')) {
    if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(text)) return text
    throw new Error(`expected a URL with scheme and host, got "${text}"`)
  }
  const places = isAbsolute(text) ? [text] : [...(datasetPath === undefined ? [] : [resolve(dirname(datasetPath), text)]), resolve(text)]
  const path = places.find((place) => existsSync(place))
  if (path === undefined) throw new Error(`expected a URL, a data: URL or a file, and there is no file "${text}" beside the dataset`)
  const base64 = (await readFile(path)).toString('base64')
  const extension = extname(path).slice(1).toLowerCase()
  if (medium === 'audio') return `${extension || 'wav'},${base64}`
  return `data:${medium}/${MIME[extension] ?? (extension || (medium === 'image' ? 'png' : 'mp4'))};base64,${base64}`
}
