import type { Problem, Random } from '@aiperf/core'
import { checkDistribution, drawOf, type Distribution } from '../distributions/distribution.js'

export interface AudioSettings {
  batchSize?: number
  /** Seconds. */
  length?: Distribution
  format?: 'wav' | 'mp3'
  /** Bits per sample. */
  depths?: number[]
  /** kHz; values above 96 are Hz. */
  sampleRates?: number[]
  channels?: number
}

const SHORTEST_SECONDS = 0.01
const DEPTHS = [8, 16, 24, 32]
/** Sample rates that MPEG audio layer III knows, Hz. */
const MP3_RATES = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
const NOISE = 0.3
const KILOHERTZ_MOST = 96
const HEADER_BYTES = 44
const MP3_KBPS = 64

export function wantsAudio(settings: AudioSettings | undefined): settings is AudioSettings {
  const { length, batchSize } = settings ?? {}
  return batchSize !== 0 && length !== undefined && ((length.mean ?? 0) > 0 || (length.points ?? length.peaks) !== undefined)
}

const hertz = (rate: number): number => Math.round(rate > KILOHERTZ_MOST ? rate : rate * 1000)

export function checkAudio(settings: AudioSettings | undefined): Problem[] {
  const problems = checkDistribution(settings?.length, '--audio-length-mean')
  const { depths = [], sampleRates = [16], format } = settings ?? {}
  for (const depth of depths) if (!DEPTHS.includes(depth)) problems.push({ flags: ['--audio-depths'], message: `--audio-depths: expected 8, 16, 24 or 32 bits, got ${depth}` })
  if (format === 'mp3')
    for (const rate of sampleRates)
      if (!MP3_RATES.includes(hertz(rate)))
        problems.push({ flags: ['--audio-sample-rates', '--audio-format'], message: `--audio-sample-rates: expected one that mp3 has (${MP3_RATES.map((known) => known / 1000).join(', ')} kHz), got ${rate}` })
  return problems
}

/** Makes clips of noise as `<format>,<base64>`. */
export async function audioMaker(settings: AudioSettings): Promise<(random: Random) => Promise<{ content: string; seconds: number }>> {
  const { format = 'wav', depths = [16], sampleRates = [16], channels = 1 } = settings
  const length = drawOf(settings.length, 0)
  const encode = format === 'mp3' ? await mp3Encoder() : undefined
  return async (random) => {
    const rate = hertz(sampleRates[random.fork('rate').integer(0, sampleRates.length - 1)]!)
    const depth = depths[random.fork('depth').integer(0, depths.length - 1)]!
    const frames = Math.max(1, Math.round(Math.max(SHORTEST_SECONDS, length(random.fork('length'))) * rate))
    const stream = random.fork('noise')
    const samples = Float32Array.from({ length: frames * channels }, () => Math.max(-1, Math.min(1, stream.normal(0, NOISE))))
    const bytes = encode ? encode(samples, rate, channels) : wav(samples, rate, channels, depth)
    return { content: `${format},${Buffer.from(bytes).toString('base64')}`, seconds: frames / rate }
  }
}

/** A WAV file of PCM samples from −1 to 1, interleaved. Source: RIFF, "WAVE" form, format tag 1. */
export function wav(samples: Float32Array, rate: number, channels: number, depth: number): Buffer {
  const width = depth / 8
  const bytes = Buffer.alloc(HEADER_BYTES + samples.length * width)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(channels, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * channels * width, 28)
  bytes.writeUInt16LE(channels * width, 32)
  bytes.writeUInt16LE(depth, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(samples.length * width, 40)
  const most = 2 ** (depth - 1) - 1
  samples.forEach((sample, at) => {
    const value = Math.round(sample * most)
    if (depth === 8) bytes.writeUInt8(value + 128, HEADER_BYTES + at) // 8 bits are unsigned
    else bytes.writeIntLE(value, HEADER_BYTES + at * width, width)
  })
  return bytes
}

async function mp3Encoder(): Promise<(samples: Float32Array, rate: number, channels: number) => Uint8Array> {
  const { createMp3Encoder } = await import('wasm-media-encoders')
  const encoder = await createMp3Encoder()
  return (samples, rate, channels) => {
    encoder.configure({ sampleRate: rate as 44100, channels: channels as 1 | 2, bitrate: MP3_KBPS })
    const parts = Array.from({ length: channels }, (_, channel) => samples.filter((__, at) => at % channels === channel))
    const body = Uint8Array.from(encoder.encode(parts as [Float32Array]))
    return Buffer.concat([body, encoder.finalize()])
  }
}
