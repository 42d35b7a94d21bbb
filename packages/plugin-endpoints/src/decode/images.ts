import type { Delta, Frame, Json, JsonObject } from '@aiperf/core'
import { pushUnexpected } from './embeddings.js'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, countOf, objectOf, stringOf } from './json.js'
import { pushUsage } from './usage.js'

/** Reads bodies and events of OpenAI's image APIs (https://platform.openai.com/docs/api-reference/images). */
export class ImagesReader implements FrameReader {
  #images = 0
  #done = false

  read(body: Json, out: Delta[], frame: Frame): void {
    const root = objectOf(body)
    if (root === undefined) return
    const before = this.#images
    const type = stringOf(root['type'])
    if (type.endsWith('.partial_image')) out.push({ kind: 'data', data: 'partial_image', count: 1 })
    else if (typeof root['b64_json'] === 'string' && root['partial_image_index'] !== undefined && !type.endsWith('.completed')) out.push({ kind: 'data', data: 'partial_image', count: 1 })
    else {
      const images = typeof root['b64_json'] === 'string' ? 1 : arrayOf(root['data']).filter(isImage).length
      this.#images += images
      if (images > 0) out.push({ kind: 'data', data: 'image', count: images })
    }
    pushServerNumbers(root, out)
    pushUsage(root, out)
    if (type.endsWith('.completed')) {
      this.#done = true
      out.push({ kind: 'done' })
    }
    if (frame.framing === 'body' && this.#images === before) pushUnexpected('images', frame, out)
  }

  /** Servers that stream images without an end mark: an image is the end. */
  end(out: Delta[]): void {
    if (!this.#done && this.#images > 0) out.push({ kind: 'done' })
  }
}

function isImage(item: Json): boolean {
  const image = objectOf(item)
  return typeof image?.['b64_json'] === 'string' || typeof image?.['url'] === 'string'
}

/** Seconds of inference and peak memory, as SGLang's media servers report them. */
export function pushServerNumbers(root: JsonObject, out: Delta[]): void {
  for (const name of ['inference_time_s', 'peak_memory_mb']) {
    const value = countOf(root[name])
    if (value !== undefined) out.push({ kind: 'field', name, value })
  }
}
