import { encodeError } from './turn.js'

/** A piece of media as base64 with what is known of its format. */
export interface InlineMedia {
  /** `wav`, `png`…: the subtype of the MIME type, or the word before the comma. */
  format: string
  /** MIME type where it was given as a data URL; else undefined. */
  mime: string | undefined
  base64: string
}

/** Reads `<format>,<base64>` or `data:<mime>;base64,<base64>`; undefined when it is neither. */
export function inlineMedia(content: string): InlineMedia | undefined {
  const comma = content.indexOf(',')
  if (comma < 0) return undefined
  const before = content.slice(0, comma)
  const base64 = content.slice(comma + 1)
  const url = /^data:([^;,]*)(?:;[^;,]*)*$/i.exec(before)
  if (url === null) return /^[\w.+-]+$/.test(before) ? { format: before, mime: undefined, base64 } : undefined
  const mime = url[1] === '' ? undefined : url[1]!.toLowerCase()
  return { format: mime?.split('/')[1] ?? '', mime, base64 }
}

/** Audio as chat-like bodies carry it. Throws when the content names no format. */
export function inputAudio(content: string): { data: string; format: string } {
  const media = inlineMedia(content)
  if (media === undefined || media.format === '') {
    throw encodeError(`audio must be "<format>,<base64>" or a data URL such as "data:audio/wav;base64,…", got ${JSON.stringify(content.slice(0, 40))}`)
  }
  return { data: media.base64, format: media.format.replace(/^x-/, '') }
}
