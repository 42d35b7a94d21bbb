import type { Delta, Frame, Json } from '@aiperf/core'
import { pushUnexpected } from './embeddings.js'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, objectOf } from './json.js'
import { pushUsage } from './usage.js'

/** Reads what was found in images: one item of `data` per image (NVIDIA's object detection NIM). */
export class RetrievalReader implements FrameReader {
  read(body: Json, out: Delta[], frame: Frame): void {
    const root = objectOf(body)
    if (root !== undefined) pushUsage(root, out)
    const count = arrayOf(root?.['data']).length
    if (count > 0) out.push({ kind: 'data', data: 'retrieval', count })
    else pushUnexpected('data', frame, out)
  }
}
