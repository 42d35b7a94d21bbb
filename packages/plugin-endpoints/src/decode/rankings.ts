import type { Delta, Frame, Json } from '@aiperf/core'
import { pushUnexpected } from './embeddings.js'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, objectOf } from './json.js'
import { pushUsage, readUsage } from './usage.js'

/** Reads a list of ranked passages: under one of `fields`, or at the top where `''` is among them. */
export class RankingsReader implements FrameReader {
  readonly #fields: readonly string[]
  constructor(fields: readonly string[]) {
    this.#fields = fields
  }

  read(body: Json, out: Delta[], frame: Frame): void {
    const root = objectOf(body)
    if (root !== undefined) {
      pushUsage(root, out)
      // Cohere counts tokens under `meta`.
      const usage = root['usage'] === undefined && root['meta'] !== undefined ? readUsage({ meta: root['meta'] }) : undefined
      if (usage !== undefined) out.push({ kind: 'usage', usage })
    }
    const list = this.#fields.map((field) => arrayOf(field === '' ? body : root?.[field])).find((items) => items.length > 0)
    if (list !== undefined) out.push({ kind: 'data', data: 'ranking', count: list.length })
    else pushUnexpected(`rankings under ${this.#fields.map((f) => f || 'the top').join(' or ')}`, frame, out)
  }
}
