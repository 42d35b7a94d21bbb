import type { Turn } from '@aiperf/core'

/** Characters that go wrong where text is cut, escaped or counted carelessly. */
export const UNICODE = 'naïve "quotes" \\ back\\slash, tab\t, line\nbreak, ümläut, 日本語, emoji 👩‍🚀, {{ braces }} %s $1'

export const textTurn = (text: string): Turn => ({ texts: [{ name: 'text', contents: [text] }] })

/** The smallest picture: one pixel of PNG. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WAV = Buffer.from('RIFF,\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0\x80>\0\0\x02\0\x10\0data\x08\0\0\0\0\0\x01\0\x02\0\x03\0', 'latin1').toString('base64')
const MP4 = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2\0\0\0\x08mdat', 'latin1').toString('base64')

/** A turn's media of a kind, in the form in which datasets hold them, and what must be found in the body (base64). */
export function mediaTurn(kind: string): { media: Turn; needle: string } {
  if (kind === 'audio') return { media: { audios: [{ name: 'input_audio', contents: [`wav,${WAV}`] }] }, needle: WAV }
  if (kind === 'video') return { media: { videos: [{ name: 'video_url', contents: [`data:video/mp4;base64,${MP4}`] }] }, needle: MP4 }
  return { media: { images: [{ name: 'image_url', contents: [`data:image/png;base64,${PNG}`] }] }, needle: PNG }
}
