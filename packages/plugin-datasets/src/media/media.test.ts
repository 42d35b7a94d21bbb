import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import sharp from 'sharp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Session } from '@aiperf/core'
import { loadDataset, type Setting } from '../../test/loadDataset.js'
import synthetic from '../synthetic.js'

const make = async (options: Setting['options'], entries = 3, setting: Setting = {}): Promise<Session[]> => (await loadDataset(synthetic, undefined, { ...setting, options: options ?? {}, entries })).sessions
const refusal = (options: Setting['options'], setting: Setting = {}) => make(options, 1, setting).then(() => '', (error: Error) => error.message)
const bytesOf = (content: string) => Buffer.from(content.slice(content.indexOf(',') + 1), 'base64')
afterEach(() => vi.unstubAllEnvs())

describe('images', () => {
  it('have the size and format asked for, beside the text', async () => {
    for (const format of ['png', 'jpeg'] as const) {
      const [session] = await make({ images: { width: { mean: 40 }, height: { mean: 30 }, format }, prompts: { isl: { mean: 5 } } }, 1)
      const [turn] = session!.turns
      const [image] = turn!.images![0]!.contents
      expect(image).toMatch(new RegExp(`^data:image/${format};base64,`))
      expect(await sharp(bytesOf(image!)).metadata()).toMatchObject({ format, width: 40, height: 30 })
      expect(turn!.inputTokens).toBe(5)
    }
  })

  it('are jpeg of 512 by 512 pixels when only the batch is given', async () => {
    const [session] = await make({ images: { batchSize: 2 } }, 1)
    const { contents } = session!.turns[0]!.images![0]!
    expect(contents).toHaveLength(2)
    expect(contents[0]).not.toBe(contents[1])
    expect(await sharp(bytesOf(contents[0]!)).metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 512 })
  })

  it('are off with a batch or a side of 0', async () => {
    for (const images of [{ batchSize: 0 }, { width: { mean: 0 }, height: { mean: 20 } }]) expect((await make({ images }, 1))[0]!.turns[0]!.images).toBeUndefined()
  })

  it('are the same for the same seed, and mix formats when asked', async () => {
    const options = { images: { width: { mean: 8 }, height: { mean: 8 }, format: 'random' }, prompts: { isl: { mean: 2 } } }
    const first = await make(options, 12)
    expect(await make(options, 12)).toEqual(first)
    expect(new Set(first.map((session) => session.turns[0]!.images![0]!.contents[0]!.slice(0, 15)))).toEqual(new Set(['data:image/png;', 'data:image/jpeg']))
  })

  it('come from drawn scenes or a folder, in the order asked for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aiperf-images-'))
    for (const [name, background] of [['a.png', '#f00'], ['b.png', '#0f0'], ['c.png', '#00f']] as const)
      writeFileSync(join(folder, name), await sharp({ create: { width: 4, height: 4, channels: 3, background } }).png().toBuffer())
    writeFileSync(join(folder, 'broken.png'), 'no image')
    const size = { width: { mean: 4 }, height: { mean: 4 }, format: 'png' }
    const colours = async (sourceSampling: string, entries: number) => {
      const sessions = await make({ images: { ...size, source: folder, sourceSampling }, prompts: { isl: { mean: 1 } } }, entries)
      return Promise.all(sessions.map(async (session) => ['r', 'g', 'b'][(await sharp(bytesOf(session.turns[0]!.images![0]!.contents[0]!)).raw().toBuffer()).subarray(0, 3).indexOf(255)]))
    }
    expect(await colours('sequential-cycle', 5)).toEqual(['r', 'g', 'b', 'r', 'g'])
    expect((await colours('shuffle-cycle', 3)).toSorted()).toEqual(['b', 'g', 'r'])
    const scenes = await make({ images: { ...size, source: 'assets', sourceSampling: 'sequential-cycle' }, prompts: { isl: { mean: 1 } } }, 5)
    const contents = scenes.map((session) => session.turns[0]!.images![0]!.contents[0])
    expect(new Set(contents).size).toBe(4)
    expect(contents[4]).toBe(contents[0])
    const empty = mkdtempSync(join(tmpdir(), 'aiperf-images-'))
    expect(await refusal({ images: { source: empty } })).toContain('holds no image')
  })

  it('are refused where they make no sense', async () => {
    expect(await refusal({ images: { sourceSampling: 'shuffle-cycle' } })).toContain('--image-source-sampling shuffle-cycle needs a set of images')
    expect(await refusal({ images: { source: './nowhere' } })).toContain('./nowhere')
    expect(await refusal({ images: { batchSize: 1 } }, { endpoint: { type: 'embeddings', media: [] } })).toContain('the endpoint type embeddings takes no image')
  })
})

describe('audio', () => {
  it('is WAV of the length, rate, depth and channels asked for', async () => {
    for (const [depth, code] of [[8, 1], [16, 1], [24, 1], [32, 1]] as const) {
      const [session] = await make({ audio: { length: { mean: 0.5 }, depths: [depth], sampleRates: [8], channels: 2 }, prompts: { isl: { mean: 3 } } }, 1)
      const [turn] = session!.turns
      const [clip] = turn!.audios![0]!.contents
      expect(clip!.startsWith('wav,')).toBe(true)
      const bytes = bytesOf(clip!)
      expect([bytes.toString('latin1', 0, 4), bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt32LE(24), bytes.readUInt16LE(34)]).toEqual(['RIFF', code, 2, 8000, depth])
      expect(bytes.length).toBe(44 + 4000 * 2 * (depth / 8))
      expect(turn!.audioSeconds).toBe(0.5)
    }
  })

  it('is mp3 when asked for', async () => {
    const [session] = await make({ audio: { length: { mean: 1 }, format: 'mp3' }, prompts: { isl: { mean: 3 } } }, 1)
    const [clip] = session!.turns[0]!.audios![0]!.contents
    expect(clip!.startsWith('mp3,')).toBe(true)
    const bytes = bytesOf(clip!)
    // Eleven set bits begin a frame of MPEG audio.
    expect(bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0).toBe(true)
    expect(Math.abs(bytes.length - 8000)).toBeLessThan(2000)
  })

  it('is refused with rates and depths that its format does not have', async () => {
    expect(await refusal({ audio: { length: { mean: 1 }, format: 'mp3', sampleRates: [96] } })).toContain('--audio-sample-rates')
    expect(await refusal({ audio: { length: { mean: 1 }, depths: [12] } })).toContain('--audio-depths')
  })
})

describe('video', () => {
  const options = { video: { width: 6, height: 4, duration: 1, fps: 2 }, prompts: { isl: { mean: 2 } } }
  /** A stand-in for ffmpeg that answers with its arguments and the number of bytes it was given. */
  function ffmpeg(script: string): void {
    const folder = mkdtempSync(join(tmpdir(), 'aiperf-ffmpeg-'))
    writeFileSync(join(folder, 'ffmpeg'), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, 'ffmpeg'), 0o755)
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
  }

  it.each(['moving-shapes', 'grid-clock', 'noise'])('of %s is what ffmpeg makes of the frames', async (synthType) => {
    ffmpeg('echo "$@"; wc -c')
    const [session] = await make({ ...options, video: { ...options.video, synthType, audio: { channels: 1 } } }, 1)
    const [content] = session!.turns[0]!.videos![0]!.contents
    expect(content).toMatch(/^data:video\/webm;base64,/)
    const said = bytesOf(content!).toString()
    expect(said).toContain('-s 6x4 -r 2')
    expect(said).toContain('-c:v libvpx-vp9')
    expect(said).toContain('-c:a libopus')
    expect(said.trim().split('\n').at(-1)!.trim()).toBe(String(6 * 4 * 3 * 2))
  })

  it('says what is missing', async () => {
    vi.stubEnv('PATH', mkdtempSync(join(tmpdir(), 'aiperf-path-')))
    expect(await refusal(options)).toContain('ffmpeg')
    expect(await refusal({ video: { width: 6 } })).toContain('--video-height is missing')
    for (const audio of [{ codec: 'aac' }, { depth: 8 }, { sampleRate: 48_000 }]) expect(await refusal({ video: { ...options.video, audio } })).toContain('--video-audio-num-channels')
  })

  it('passes on what ffmpeg complains of', async () => {
    ffmpeg('echo "Unknown encoder" >&2; exit 1')
    expect(await refusal(options)).toContain('Unknown encoder')
  })
})

it('requests without any content are refused', async () => {
  expect(await refusal({ prompts: { isl: { mean: 0 } } })).toContain('--isl 0')
  const [session] = await make({ prompts: { isl: { mean: 0 } }, images: { width: { mean: 8 }, height: { mean: 8 } } }, 1)
  expect(session!.turns[0]!.texts).toBeUndefined()
})
