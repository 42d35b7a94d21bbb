import type { Json } from '@aiperf/core'
import { bytesOf } from './imageOf.js'

/** A recording of a column as `<format>,<base64>`, and how long it is where the file says so. */
export function audioOf(value: Json | undefined): { content: string; seconds?: number } | undefined {
  const bytes = bytesOf(value)
  if (!bytes || bytes.length < 12) return undefined
  const { format, seconds } = described(bytes)
  return { content: `${format},${bytes.toString('base64')}`, ...(seconds === undefined ? {} : { seconds }) }
}

function described(bytes: Buffer): { format: string; seconds?: number | undefined } {
  const magic = bytes.toString('latin1', 0, 4)
  if (magic === 'RIFF') return { format: 'wav', seconds: wavSeconds(bytes) }
  if (magic === 'fLaC') return { format: 'flac', seconds: flacSeconds(bytes) }
  if (magic === 'OggS') return { format: 'ogg' }
  return { format: 'mp3' }
}

/** Bytes of the data chunk by the bytes of a second. */
function wavSeconds(bytes: Buffer): number | undefined {
  let rate: number | undefined
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    if (name === 'fmt ' && at + 20 <= bytes.length) rate = bytes.readUInt32LE(at + 16)
    if (name === 'data' && rate) return Math.min(length, bytes.length - at - 8) / rate
    at += 8 + length + (length % 2)
  }
  return undefined
}

/** STREAMINFO is always the first block: 20 bits of sample rate, 8 of other things, 36 of total samples. */
function flacSeconds(bytes: Buffer): number | undefined {
  if (bytes.length < 26) return undefined
  const rate = bytes.readUIntBE(18, 3) >>> 4
  const samples = (bytes[21]! & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22)
  return rate > 0 && samples > 0 ? samples / rate : undefined
}
