import type { Delta, Frame, Json } from '@aiperf/core'
import { pushUnexpected } from './embeddings.js'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, objectOf, stringOf } from './json.js'
import { finish } from './openai-chat.js'
import { pushUsage } from './usage.js'

/** Reads transcripts: a JSON `text`, a plain text body, or the events of servers that stream one. */
export class TranscriptionReader implements FrameReader {
  #pieces = false

  read(body: Json, out: Delta[], frame: Frame): void {
    const root = objectOf(body)
    if (root === undefined) {
      // A transcript may happen to be JSON: `42`, `"yes"`.
      if (frame.framing === 'body') this.readText(frame, out)
      return
    }
    const before = out.length
    const type = stringOf(root['type'])
    if (type === 'transcript.text.delta') {
      this.#pieces = true
      push(root['delta'], out)
    } else if (type === 'transcript.text.done') {
      if (!this.#pieces) push(root['text'], out)
      pushUsage(root, out)
      out.push({ kind: 'done' })
      return
    } else if (Array.isArray(root['choices'])) {
      for (const value of arrayOf(root['choices'])) {
        const choice = objectOf(value)
        if (choice === undefined) continue
        push(objectOf(choice['delta'])?.['content'], out)
        finish(choice, out)
      }
    } else push(root['text'], out)
    if (frame.framing === 'body' && out.length === before && typeof root['text'] !== 'string') pushUnexpected('a transcript', frame, out)
    pushUsage(root, out)
  }

  readText(frame: Frame, out: Delta[]): boolean {
    if (frame.framing !== 'body') return false
    push(frame.text(), out)
    return true
  }
}

function push(value: Json | undefined, out: Delta[]): void {
  const text = stringOf(value)
  if (text !== '') out.push({ kind: 'text', text })
}
