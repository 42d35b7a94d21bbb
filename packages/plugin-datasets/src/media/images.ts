import { existsSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AiperfError, type Problem, type Random } from '@aiperf/core'
import { checkDistribution, tokensOf, type Distribution } from '../distributions/distribution.js'
import { noiseBytes } from './noiseBytes.js'

export interface ImageSettings {
  batchSize?: number
  width?: Distribution
  height?: Distribution
  format?: 'png' | 'jpeg' | 'random'
  /** `noise`, `assets`, or a folder of images. */
  source?: string
  sourceSampling?: 'random-with-replacement' | 'shuffle-cycle' | 'sequential-cycle'
}

const DEFAULT_SIDE = 512
const READABLE = /\.(png|jpe?g|webp|gif|tiff?|avif|bmp)$/i

/** Whether images are asked for: a size above 0, or any other setting. */
export function wantsImages(settings: ImageSettings | undefined): settings is ImageSettings {
  if (!settings || settings.batchSize === 0 || Object.keys(settings).length === 0) return false
  return settings.width?.mean !== 0 && settings.height?.mean !== 0
}

export function checkImages(settings: ImageSettings | undefined): Problem[] {
  const problems = [...checkDistribution(settings?.width, '--image-width-mean'), ...checkDistribution(settings?.height, '--image-height-mean')]
  const { source = 'noise', sourceSampling } = settings ?? {}
  if (source === 'noise' && sourceSampling !== undefined && sourceSampling !== 'random-with-replacement')
    problems.push({ flags: ['--image-source-sampling', '--image-source'], message: `--image-source-sampling ${sourceSampling} needs a set of images; --image-source noise has none`, hint: 'give --image-source assets, or a folder' })
  if (source !== 'noise' && source !== 'assets' && !(existsSync(source) && statSync(source).isDirectory()))
    problems.push({ flags: ['--image-source'], message: `--image-source: expected noise, assets or a folder, got "${source}"` })
  return problems
}

/** Makes the image number `index` of a dataset as a `data:` URL. */
export async function imageMaker(settings: ImageSettings, root: Random): Promise<(random: Random, index: number) => Promise<string>> {
  const { default: sharp } = await import('sharp')
  const width = tokensOf(settings.width, DEFAULT_SIDE)
  const height = tokensOf(settings.height, DEFAULT_SIDE)
  const { format = 'jpeg', source = 'noise', sourceSampling = 'random-with-replacement' } = settings
  const pool = source === 'noise' ? [] : source === 'assets' ? (await import('./pictures.js')).pictures() : await readPictures(source, sharp)
  const choose = chooser(pool.length, sourceSampling, root)
  return async (random, index) => {
    const size = { width: width(random.fork('width')), height: height(random.fork('height')) }
    const picture = pool.length > 0 ? sharp(pool[choose(random, index)]!).resize({ ...size, fit: 'fill' }) : sharp(noiseBytes(random.fork('noise'), size.width * size.height * 3), { raw: { ...size, channels: 3 } })
    const kind = format === 'random' ? (random.fork('format').next() < 0.5 ? 'png' : 'jpeg') : format
    const bytes = await picture.flatten().toFormat(kind).toBuffer()
    return `data:image/${kind};base64,${bytes.toString('base64')}`
  }
}

/** Which picture of a finite set the n-th image is. */
function chooser(size: number, sampling: NonNullable<ImageSettings['sourceSampling']>, root: Random): (random: Random, index: number) => number {
  if (sampling === 'sequential-cycle') return (_, index) => index % size
  if (sampling === 'random-with-replacement') return (random) => random.fork('source').integer(0, size - 1)
  return (_, index) => {
    const order = Array.from({ length: size }, (__, at) => at)
    const stream = root.fork(`cycle ${Math.floor(index / size)}`)
    for (let at = size - 1; at > 0; at--) {
      const other = stream.integer(0, at)
      ;[order[at], order[other]] = [order[other]!, order[at]!]
    }
    return order[index % size]!
  }
}

/** The images of a folder; files that are none are passed over. @throws AiperfError when there is no image. */
async function readPictures(folder: string, sharp: (input: Buffer) => { metadata(): Promise<unknown> }): Promise<Buffer[]> {
  const pictures: Buffer[] = []
  for (const name of (await readdir(folder)).filter((file) => READABLE.test(file)).sort()) {
    const bytes = await readFile(join(folder, name))
    if (await sharp(bytes).metadata().then(() => true, () => false)) pictures.push(bytes)
  }
  if (pictures.length === 0) throw new AiperfError('E_INPUT_FILE', `${folder} holds no image that can be read`, { hint: 'give a folder of png, jpeg, webp, gif, tiff or avif files with --image-source' })
  return pictures
}
