import type { Delta, Frame, Json, JsonObject } from '@aiperf/core'
import { bareEmbeddings } from './embeddings.js'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, objectOf, stringOf } from './json.js'
import { finish } from './openai-chat.js'
import { pushUsage } from './usage.js'

/** Finds the value of a response path in a frame; null when nothing is there. */
export type Search = (body: Json) => Json

const TEXT_FIELDS = ['text', 'content', 'response', 'output', 'result']

/**
 * Reads answers of any form: by a response path where one was given, else by looking for what most servers send:
 * embeddings, then rankings, then text.
 */
export class DetectingReader implements FrameReader {
  readonly #search: Search | undefined
  readonly #fallBack: boolean
  #content = false
  /** Chunks in OpenAI's form say themselves when they end. */
  #endsItself = false

  constructor(search: Search | undefined, fallBack: boolean) {
    this.#search = search
    this.#fallBack = fallBack
  }

  read(body: Json, out: Delta[], frame: Frame): void {
    const before = out.length
    const found = this.#search?.(body) ?? null
    if (found !== null) pushFound(found, out)
    if (out.length === before && (this.#search === undefined || this.#fallBack)) detect(body, out)
    this.#content ||= out.length > before
    const root = objectOf(body)
    if (root !== undefined) {
      for (const choice of arrayOf(root['choices'])) {
        this.#endsItself = true
        const object = objectOf(choice)
        if (object !== undefined) finish(object, out)
      }
      pushUsage(root, out)
    }
    if (!this.#content && frame.framing === 'body' && out.length === before) {
      const wanted = this.#search === undefined ? 'text, embeddings or rankings' : 'a match of the response path'
      out.push({ kind: 'malformed', reason: `expected ${wanted}, got ${frame.text().slice(0, 300)}` })
    }
  }

  readText(frame: Frame, out: Delta[]): boolean {
    const text = frame.text()
    if (text === '' || (this.#search !== undefined && !this.#fallBack)) return false
    this.#content = true
    out.push({ kind: 'text', text })
    return true
  }

  end(out: Delta[]): void {
    if (this.#content && !this.#endsItself) out.push({ kind: 'done' })
  }
}

/** What a value found by the path is, by its form. */
function pushFound(value: Json, out: Delta[]): void {
  if (typeof value === 'string') {
    if (value !== '') out.push({ kind: 'text', text: value })
  } else if (Array.isArray(value) && value.length > 0) {
    const [first] = value
    if (typeof first === 'number') out.push({ kind: 'data', data: 'embedding', count: 1 })
    else if (Array.isArray(first)) out.push({ kind: 'data', data: 'embedding', count: value.length })
    else if (typeof first === 'string') pushFound(value.filter((v) => typeof v === 'string').join(''), out)
    else out.push({ kind: 'data', data: 'ranking', count: value.length })
  } else if (typeof value === 'number' || typeof value === 'boolean') out.push({ kind: 'text', text: String(value) })
}

function detect(body: Json, out: Delta[]): void {
  if (typeof body === 'string') return pushFound(body, out)
  const root = objectOf(body)
  if (root === undefined) return
  const embeddings = embeddingCount(root)
  if (embeddings > 0) {
    out.push({ kind: 'data', data: 'embedding', count: embeddings })
    return
  }
  const ranked = arrayOf(root['rankings']).length || arrayOf(root['results']).length
  if (ranked > 0) {
    out.push({ kind: 'data', data: 'ranking', count: ranked })
    return
  }
  const text = detectText(root)
  if (text !== '') out.push({ kind: 'text', text })
}

function embeddingCount(root: JsonObject): number {
  const listed = arrayOf(root['data']).filter((item) => objectOf(item)?.['embedding'] !== undefined).length
  return listed || bareEmbeddings(root)
}

function detectText(root: JsonObject): string {
  for (const field of TEXT_FIELDS) {
    const value = root[field]
    if (typeof value === 'string' && value !== '') return value
    if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')) return value.join('')
  }
  const choice = objectOf(arrayOf(root['choices'])[0])
  return stringOf(choice?.['text']) || stringOf(objectOf(choice?.['message'])?.['content']) || stringOf(objectOf(choice?.['delta'])?.['content'])
}
