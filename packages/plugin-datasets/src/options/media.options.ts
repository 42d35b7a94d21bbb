import { z } from 'zod'
import { batchSize } from './batch.options.js'
import { distribution } from './distribution.options.js'

const IMAGE = 'Image Input'
const AUDIO = 'Audio Input'
const VIDEO = 'Video Input'

export const images = z
  .strictObject({
    batchSize: batchSize.image,
    width: distribution('Width of an image (default 512 once any image option is given)', 'pixels', { group: IMAGE, mean: { flag: '--image-width-mean' }, stddev: { flag: '--image-width-stddev' } }),
    height: distribution('Height of an image (default 512 once any image option is given)', 'pixels', { group: IMAGE, mean: { flag: '--image-height-mean' }, stddev: { flag: '--image-height-stddev' } }),
    format: z.enum(['png', 'jpeg', 'random']).optional().describe('Format of the images (default jpeg)').meta({ flag: '--image-format', group: IMAGE }),
    source: z
      .string()
      .optional()
      .describe('What images show: noise (default), assets (drawn scenes), or the images of a folder')
      .meta({ flag: '--image-source', group: IMAGE, value: '<noise|assets|folder>' }),
    sourceSampling: z
      .enum(['random-with-replacement', 'shuffle-cycle', 'sequential-cycle'])
      .optional()
      .describe('How images are chosen from assets or a folder (default random-with-replacement)')
      .meta({ flag: '--image-source-sampling', group: IMAGE }),
  })
  .optional()

export const audio = z
  .strictObject({
    batchSize: batchSize.audio,
    length: distribution('Length of an audio clip; above 0 requests have audio', 'seconds', { group: AUDIO, mean: { flag: '--audio-length-mean', value: '<seconds>' }, stddev: { flag: '--audio-length-stddev', value: '<seconds>' } }),
    format: z.enum(['wav', 'mp3']).optional().describe('Format of the clips (default wav)').meta({ flag: '--audio-format', group: AUDIO }),
    depths: z.array(z.int().positive()).min(1).optional().describe('Bits per sample, one chosen per clip: 8, 16, 24, 32 (default 16)').meta({ flag: '--audio-depths', group: AUDIO, comma: 'list' }),
    sampleRates: z.array(z.number().positive()).min(1).optional().describe('Sample rates in kHz, one chosen per clip (default 16)').meta({ flag: '--audio-sample-rates', group: AUDIO, comma: 'list' }),
    channels: z.int().min(1).max(2).optional().describe('Channels, 1 or 2 (default 1)').meta({ flag: '--audio-num-channels', group: AUDIO }),
  })
  .optional()

export const video = z
  .strictObject({
    batchSize: batchSize.video,
    width: z.int().min(1).optional().describe('Width of a video, pixels; with a height requests have video').meta({ flag: '--video-width', group: VIDEO }),
    height: z.int().min(1).optional().describe('Height of a video, pixels').meta({ flag: '--video-height', group: VIDEO }),
    duration: z.number().min(0).optional().describe('Length of a video, seconds (default 5)').meta({ flag: '--video-duration', group: VIDEO, value: '<seconds>' }),
    fps: z.int().min(1).optional().describe('Frames per second (default 4)').meta({ flag: '--video-fps', group: VIDEO }),
    synthType: z.enum(['moving-shapes', 'grid-clock', 'noise']).optional().describe('What videos show (default moving-shapes)').meta({ flag: '--video-synth-type', group: VIDEO }),
    format: z.enum(['mp4', 'webm']).optional().describe('Container (default webm)').meta({ flag: '--video-format', group: VIDEO }),
    codec: z.string().optional().describe('Encoder of ffmpeg (default libvpx-vp9)').meta({ flag: '--video-codec', group: VIDEO }),
    audio: z
      .strictObject({
        sampleRate: z.number().min(8).max(96_000).optional().describe('Sample rate of the sound track, Hz or kHz (default 44100)').meta({ flag: '--video-audio-sample-rate', group: VIDEO }),
        channels: z.int().min(0).max(2).optional().describe('Channels of the sound track; 0: none (default 0)').meta({ flag: '--video-audio-num-channels', group: VIDEO }),
        codec: z.enum(['aac', 'libvorbis', 'libopus']).optional().describe('Encoder of the sound track (by the container when not given)').meta({ flag: '--video-audio-codec', group: VIDEO }),
        depth: z.union([z.literal(8), z.literal(16), z.literal(24), z.literal(32)]).optional().describe('Bits per sample that the sound has before it is encoded; 24 count as 32 (default 16)').meta({ flag: '--video-audio-depth', group: VIDEO }),
      })
      .optional(),
  })
  .optional()
