import type { Delta, Frame, Json, JsonObject } from '@aiperf/core'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, objectOf } from './json.js'
import { pushUsage } from './usage.js'

/** Says that a body should have held something else, unless it told of an error; the body says why. */
export function pushUnexpected(wanted: string, frame: Frame, out: Delta[]): void {
  if (!out.some((delta) => delta.kind === 'error')) out.push({ kind: 'malformed', reason: `expected ${wanted}, got ${frame.text().slice(0, 300)}` })
}

/** Reads the list of embeddings of OpenAI's API; each item must say that it is one. */
export class EmbeddingsReader implements FrameReader {
  read(body: Json, out: Delta[], frame: Frame): void {
    const root = objectOf(body)
    if (root !== undefined) pushUsage(root, out)
    const data = arrayOf(root?.['data'])
    if (data.length > 0 && data.every((item) => objectOf(item)?.['object'] === 'embedding')) out.push({ kind: 'data', data: 'embedding', count: data.length })
    else pushUnexpected('a list of embeddings', frame, out)
  }
}

/** As `EmbeddingsReader`, and the bare fields `embeddings` and `embedding` of other servers. */
export class ChatEmbeddingsReader implements FrameReader {
  readonly #list = new EmbeddingsReader()

  read(body: Json, out: Delta[], frame: Frame): void {
    const root = objectOf(body)
    const count = root === undefined ? 0 : bareEmbeddings(root)
    if (count === 0) return this.#list.read(body, out, frame)
    pushUsage(root!, out)
    out.push({ kind: 'data', data: 'embedding', count })
  }
}

/** How many embeddings stand in the fields `embeddings` or `embedding`. */
export function bareEmbeddings(root: JsonObject): number {
  const many = root['embeddings']
  if (Array.isArray(many)) return typeof many[0] === 'number' ? 1 : many.length
  // Some servers list the types of embedding below (`float`, `int8`…).
  const typed = objectOf(many)
  if (typed !== undefined) return arrayOf(Object.values(typed)[0]).length
  return arrayOf(root['embedding']).length > 0 ? 1 : 0
}
