import { AiperfError, type Problem, type Random } from '@aiperf/core'
import { videoFrames, type VideoPattern } from './videoFrames.js'

export interface VideoSettings {
  batchSize?: number
  width?: number
  height?: number
  /** Seconds. */
  duration?: number
  fps?: number
  synthType?: VideoPattern
  format?: 'mp4' | 'webm'
  codec?: string
  audio?: { sampleRate?: number; channels?: number; codec?: 'aac' | 'libvorbis' | 'libopus'; depth?: keyof typeof SAMPLES }
}

const HERTZ_LEAST = 1000
/** Sample formats of ffmpeg that hold so many bits; the encoder is given the noise rounded to them. */
const SAMPLES = { 8: 'u8', 16: 's16', 24: 's32', 32: 's32' } as const

export function wantsVideo(settings: VideoSettings | undefined): settings is VideoSettings & { width: number; height: number } {
  return settings?.batchSize !== 0 && settings?.width !== undefined && settings.height !== undefined
}

export function checkVideo(settings: VideoSettings | undefined): Problem[] {
  const { width, height, audio } = settings ?? {}
  const problems: Problem[] = []
  if ((width === undefined) !== (height === undefined))
    problems.push({ flags: ['--video-width', '--video-height'], message: `--video-${width === undefined ? 'width' : 'height'} is missing: a video needs both sides`, hint: 'give --video-width and --video-height' })
  const channels = '--video-audio-num-channels'
  for (const [flag, value] of [['--video-audio-codec', audio?.codec], ['--video-audio-sample-rate', audio?.sampleRate], ['--video-audio-depth', audio?.depth]] as const)
    if (value !== undefined && !audio?.channels) problems.push({ flags: [flag, channels], message: `${flag} needs ${channels} of 1 or 2: with 0 there is no sound` })
  return problems
}

/** Makes videos as `data:` URLs, encoded by the ffmpeg of this machine. */
export function videoMaker(settings: VideoSettings & { width: number; height: number }): (random: Random) => Promise<string> {
  const { width, height, duration = 5, fps = 4, synthType = 'moving-shapes', format = 'webm', codec = 'libvpx-vp9', audio = {} } = settings
  const { channels = 0, sampleRate = 44_100, depth = 16 } = audio
  const rate = sampleRate < HERTZ_LEAST ? Math.round(sampleRate * 1000) : sampleRate
  const sound = channels > 0
  return async (random) => {
    const { execa } = await import('execa')
    const seed = random.fork('sound').integer(0, 2 ** 31 - 1)
    const args = [
      '-hide_banner', '-loglevel', 'error',
      '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', `${fps}`, '-i', 'pipe:0',
      ...(sound ? ['-f', 'lavfi', '-t', `${duration}`, '-i', `anoisesrc=seed=${seed}:sample_rate=${rate}:amplitude=0.3,aformat=sample_fmts=${SAMPLES[depth]}`] : []),
      // Most encoders want even sides.
      '-vf', 'pad=ceil(iw/2)*2:ceil(ih/2)*2', '-pix_fmt', 'yuv420p', '-c:v', codec,
      ...(sound ? ['-ac', `${channels}`, '-c:a', audio.codec ?? (format === 'mp4' ? 'aac' : 'libopus'), '-shortest'] : []),
      ...(format === 'mp4' ? ['-movflags', 'frag_keyframe+empty_moov'] : []),
      '-f', format, 'pipe:1',
    ]
    try {
      const frames = videoFrames(synthType, { width, height, fps, count: Math.max(1, Math.round(duration * fps)) }, random.fork('frames'))
      const { stdout } = await execa('ffmpeg', args, { input: Buffer.concat([...frames]), encoding: 'buffer', maxBuffer: 2 ** 30 })
      return `data:video/${format};base64,${Buffer.from(stdout).toString('base64')}`
    } catch (error) {
      throw explained(error as Error & { code?: string; stderr?: unknown })
    }
  }
}

function explained(error: Error & { code?: string; stderr?: unknown }): AiperfError {
  if (error.code === 'ENOENT')
    return new AiperfError('E_DATASET', 'Generated video needs the program ffmpeg, and there is none in PATH', { hint: 'install ffmpeg (apt-get install ffmpeg, brew install ffmpeg), or leave out --video-width and --video-height', cause: error })
  const said = Buffer.isBuffer(error.stderr) || error.stderr instanceof Uint8Array ? Buffer.from(error.stderr).toString('utf8').trim() : error.message
  return new AiperfError('E_DATASET', `ffmpeg could not make the video: ${said.split('\n')[0]}`, { hint: 'check --video-codec and --video-format: not every ffmpeg has every encoder', cause: error })
}
