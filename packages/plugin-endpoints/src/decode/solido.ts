import type { Delta, Json } from '@aiperf/core'
import type { FrameReader } from './frame-decoder.js'
import { objectOf, stringOf } from './json.js'

/** Reads `content`; the sources of an answer are none of its text. */
export class SolidoReader implements FrameReader {
  #content = false

  read(body: Json, out: Delta[]): void {
    const text = stringOf(objectOf(body)?.['content'])
    if (text === '') return
    this.#content = true
    out.push({ kind: 'text', text })
  }

  pick(body: Json): string | undefined {
    return stringOf(objectOf(body)?.['content'])
  }

  /** The service has no end mark: the end of the body is the end of the answer. */
  end(out: Delta[]): void {
    if (this.#content) out.push({ kind: 'done' })
  }
}
