import { ConfigurationError, type DatasetContext, type Random, type Turn } from '@aiperf/core'
import { audioMaker, wantsAudio } from '../media/audio.js'
import { imageMaker, wantsImages } from '../media/images.js'
import { videoMaker, wantsVideo } from '../media/video.js'
import type { SyntheticSettings } from './settings.js'

/** Adds the media that were asked for to a turn; `turnIndex` counts all turns of the dataset. */
export type AddMedia = (turn: Turn, random: Random, turnIndex: number) => Promise<void>

/** @throws ConfigurationError when the endpoint type cannot carry what was asked for. */
export async function mediaContents(context: DatasetContext<SyntheticSettings>): Promise<AddMedia | undefined> {
  const { images, audio, video } = context.options
  const wanted = [wantsImages(images) ? (['image', '--image-width-mean'] as const) : undefined, wantsAudio(audio) ? (['audio', '--audio-length-mean'] as const) : undefined, wantsVideo(video) ? (['video', '--video-width'] as const) : undefined].filter((item) => item !== undefined)
  if (wanted.length === 0) return undefined
  const refused = wanted.filter(([medium]) => !context.endpoint.media.includes(medium))
  if (refused.length > 0)
    throw new ConfigurationError(
      refused.map(([medium, flag]) => ({ flags: [flag, '--endpoint-type'], message: `${flag}: the endpoint type ${context.endpoint.type} takes no ${medium}`, hint: `choose another endpoint type, or leave out the ${medium} options` })),
    )
  const image = wantsImages(images) ? await imageMaker(images, context.random('dataset.images')) : undefined
  const clip = wantsAudio(audio) ? await audioMaker(audio) : undefined
  const film = wantsVideo(video) ? videoMaker(video) : undefined
  return async (turn, random, turnIndex) => {
    if (image) {
      const count = images?.batchSize ?? 1
      turn.images = [{ contents: await Promise.all(Array.from({ length: count }, (_, at) => image(random.fork(`image ${at}`), turnIndex * count + at))) }]
    }
    if (clip) {
      const clips = await Promise.all(Array.from({ length: audio?.batchSize ?? 1 }, (_, at) => clip(random.fork(`audio ${at}`))))
      turn.audios = [{ contents: clips.map((made) => made.content) }]
      turn.audioSeconds = clips.reduce((sum, made) => sum + made.seconds, 0)
    }
    if (film) turn.videos = [{ contents: await Promise.all(Array.from({ length: video?.batchSize ?? 1 }, (_, at) => film(random.fork(`video ${at}`)))) }]
  }
}
