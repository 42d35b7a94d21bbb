import { AskError } from '../ask/ask.js'
import { Fields } from '../ask/fields.js'
import { answerOnce, type Question } from '../drive/answer-once.js'
import type { Route } from './route.js'

/** POST /v1/infer: https://docs.nvidia.com/nim/ingestion/object-detection. Images come as data URLs of PNG or JPEG. */
export const infer: Route = {
  method: 'POST',
  path: '/v1/infer',
  handle: (exchange, context) => answerOnce(exchange, context, read),
}

function read(body: Buffer): Question {
  const input = new Fields(body).required('input')
  if (!Array.isArray(input) || input.length === 0) throw new AskError('input: must be a list with at least one image')
  const images = input.map(imageOf)
  const data = images.map((_, index) => ({ index, bounding_boxes: { table: [box(0.1)], chart: [], title: [box(0.6)] } }))
  const megabytes = images.reduce((sum, { length }) => sum + length, 0) / 1e6
  return { model: '', texts: [], answer: () => ({ data, usage: { images_size_mb: Number(megabytes.toFixed(6)) } }) }
}

function imageOf(item: { type?: unknown; url?: unknown } | null): Buffer {
  const encoded = typeof item?.url === 'string' ? /^data:image\/(?:png|jpeg);base64,(.+)$/s.exec(item.url)?.[1] : undefined
  if (item?.type !== 'image_url' || encoded === undefined) throw new AskError('input: each item must be an image_url with a data URL of a PNG or JPEG image')
  return Buffer.from(encoded, 'base64')
}

/** A box in shares of the image's width and height. */
function box(top: number): object {
  return { x_min: 0.1, y_min: top, x_max: 0.9, y_max: top + 0.3, confidence: 0.95 }
}
