import type { Delta, Json, JsonObject } from '@aiperf/core'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, objectOf, stringOf } from './json.js'
import { finish } from './openai-chat.js'
import { SpecDecodeReport } from './spec-decode.js'
import { pushUsage } from './usage.js'

/** Reads chunks and bodies of OpenAI's completions. */
export class CompletionsReader implements FrameReader {
  readonly #report = new SpecDecodeReport()

  read(body: Json, out: Delta[]): void {
    const root = objectOf(body)
    if (root === undefined) return
    if (isCompletion(root))
      for (const item of arrayOf(root['choices'])) {
        const choice = objectOf(item)
        if (choice === undefined) continue
        const reasoning = stringOf(choice['reasoning_content']) || stringOf(choice['reasoning'])
        if (reasoning !== '') out.push({ kind: 'reasoning', text: reasoning })
        const text = stringOf(choice['text'])
        if (text !== '') out.push({ kind: 'text', text })
        finish(choice, out)
      }
    pushUsage(root, out)
    if (root['metrics'] !== undefined) this.#report.read(root)
  }

  pick(body: Json): string | undefined {
    const root = objectOf(body)
    const choices = arrayOf(root?.['choices'])
    const choice = choices.length === 1 && root!['metrics'] === undefined ? objectOf(choices[0]) : undefined
    return choice === undefined ? undefined : stringOf(choice['reasoning_content']) || stringOf(choice['reasoning']) || stringOf(choice['text'])
  }

  end(out: Delta[]): void {
    this.#report.end(out)
  }
}

function isCompletion(root: JsonObject): boolean {
  const object = root['object']
  return typeof object !== 'string' || object === '' || object === 'text_completion' || object.startsWith('completion')
}
