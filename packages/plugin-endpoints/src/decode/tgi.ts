import type { Delta, Json, JsonObject, Usage } from '@aiperf/core'
import type { FrameReader } from './frame-decoder.js'
import { countOf, objectOf, stringOf } from './json.js'

/** Reads events and bodies of Hugging Face Text Generation Inference (`/generate`, `/generate_stream`). */
export class TgiReader implements FrameReader {
  #pieces = false

  read(body: Json, out: Delta[]): void {
    const root = objectOf(Array.isArray(body) ? body[0] : body)
    if (root === undefined) return
    const token = objectOf(root['token'])
    const whole = root['generated_text']
    if (token !== undefined) {
      // End marks and the like are no part of the text that the last event repeats.
      const text = token['special'] === true ? '' : stringOf(token['text'])
      if (text !== '') out.push({ kind: 'text', text })
      this.#pieces = true
    } else if (stringOf(whole) !== '' && !this.#pieces) out.push({ kind: 'text', text: stringOf(whole) })
    const details = objectOf(root['details'])
    if (details !== undefined) pushDetails(details, out)
    // The last event of a stream repeats the whole text; there is no other end mark.
    if (this.#pieces && typeof whole === 'string') out.push({ kind: 'done' })
  }

  pick(body: Json): string | undefined {
    const root = objectOf(body)
    const token = objectOf(root?.['token'])
    if (token === undefined || token['special'] === true || typeof root!['generated_text'] === 'string' || objectOf(root!['details']) !== undefined) return undefined
    return stringOf(token['text'])
  }
}

function pushDetails(details: JsonObject, out: Delta[]): void {
  const usage: Usage = {}
  const generated = countOf(details['generated_tokens'])
  if (generated !== undefined) usage.completion = generated
  const input = countOf(details['input_length'])
  if (input !== undefined) usage.prompt = input
  else if (Array.isArray(details['prefill']) && details['prefill'].length > 0) usage.prompt = details['prefill'].length
  if (Object.keys(usage).length > 0) out.push({ kind: 'usage', usage })
  const reason = stringOf(details['finish_reason'])
  if (reason !== '') out.push({ kind: 'finish', reason })
}
