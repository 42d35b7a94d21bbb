import type { Delta, Json, JsonObject } from '@aiperf/core'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, objectOf, stringOf } from './json.js'
import { errorOf } from './server-error.js'
import { SpecDecodeReport } from './spec-decode.js'
import { pushUsage } from './usage.js'

/** Reads chunks and bodies of OpenAI's chat completions, and of the many servers that took them over. */
export class ChatReader implements FrameReader {
  readonly #report = new SpecDecodeReport()
  /** Ids of the tool calls so far, for servers that leave out `index`. */
  readonly #callIds: string[] = []

  read(body: Json, out: Delta[]): void {
    const root = objectOf(body)
    if (root === undefined) return
    if (isChat(root)) for (const choice of arrayOf(root['choices'])) this.#choice(objectOf(choice), out)
    pushUsage(root, out)
    if (root['metrics'] !== undefined) this.#report.read(root)
  }

  #choice(choice: JsonObject | undefined, out: Delta[]): void {
    if (choice === undefined) return
    const message = objectOf(choice['delta']) ?? objectOf(choice['message'])
    if (message !== undefined) {
      const reasoning = reasoningOf(message)
      if (reasoning !== '') out.push({ kind: 'reasoning', text: reasoning })
      content(message['content'], out)
      const refusal = stringOf(message['refusal'])
      if (refusal !== '') out.push({ kind: 'text', text: refusal })
      const calls = arrayOf(message['tool_calls'])
      for (let i = 0; i < calls.length; i++) this.#toolCall(objectOf(calls[i]), i, calls.length, out)
      const legacy = objectOf(message['function_call'])
      if (legacy !== undefined) out.push(toolDelta(0, undefined, legacy))
    }
    finish(choice, out)
  }

  #toolCall(call: JsonObject | undefined, place: number, calls: number, out: Delta[]): void {
    if (call === undefined) return
    const called = objectOf(call['function']) ?? objectOf(call['custom'])
    const id = stringOf(call['id'])
    out.push(toolDelta(this.#callIndex(call['index'], id, place, calls), id === '' ? undefined : id, called ?? {}))
  }

  #callIndex(given: Json | undefined, id: string, place: number, calls: number): number {
    if (typeof given === 'number') return given
    if (id === '') return calls > 1 ? place : Math.max(0, this.#callIds.length - 1)
    const known = this.#callIds.indexOf(id)
    return known >= 0 ? known : this.#callIds.push(id) - 1
  }

  pick(body: Json): string | undefined {
    const root = objectOf(body)
    const choices = root && arrayOf(root['choices'])
    // A report is counted each time it comes.
    if (choices?.length !== 1 || root!['metrics'] !== undefined) return undefined
    const message = objectOf(objectOf(choices[0])?.['delta'])
    if (message === undefined) return undefined
    const reasoning = reasoningOf(message)
    if (reasoning !== '') return reasoning
    const text = stringOf(message['content'])
    if (text !== '') return text
    const calls = arrayOf(message['tool_calls'])
    const call = calls.length === 1 ? objectOf(calls[0]) : undefined
    // Without an index of its own, a piece belongs to the call that came before.
    return typeof call?.['index'] === 'number' ? stringOf(objectOf(call['function'])?.['arguments']) : undefined
  }

  end(out: Delta[]): void {
    this.#report.end(out)
  }
}

/** Other objects under the same path bring no text; servers that name none are taken by the form of their choices. */
function isChat(root: JsonObject): boolean {
  const object = root['object']
  return typeof object !== 'string' || object === '' || object.startsWith('chat.completion')
}

/** The text of a message's reasoning; gateways that send it in both a text and `reasoning_details` say it once. */
function reasoningOf(message: JsonObject): string {
  return (
    stringOf(message['reasoning_content']) || stringOf(message['reasoning']) || stringOf(message['thinking']) ||
    arrayOf(message['reasoning_details']).map((part) => stringOf(objectOf(part)?.['text']) || stringOf(objectOf(part)?.['summary'])).join('')
  )
}

/** A plain string, or parts of text and thinking as some vendors send them, texts bare or in objects. */
function content(value: Json | undefined, out: Delta[]): void {
  if (typeof value === 'string') {
    if (value !== '') out.push({ kind: 'text', text: value })
    return
  }
  for (const item of arrayOf(value)) {
    const part = typeof item === 'string' ? { text: item } : objectOf(item)
    const thinking = part?.['thinking']
    if (thinking !== undefined) {
      const text = typeof thinking === 'string' ? thinking : arrayOf(thinking).map((t) => stringOf(objectOf(t)?.['text'])).join('')
      if (text !== '') out.push({ kind: 'reasoning', text })
    } else if (part !== undefined && stringOf(part['text']) !== '') out.push({ kind: 'text', text: stringOf(part['text']) })
  }
}

function toolDelta(index: number, id: string | undefined, called: JsonObject): Delta {
  const delta: Delta = { kind: 'tool', index }
  if (id !== undefined) delta.id = id
  const name = stringOf(called['name'])
  if (name !== '') delta.name = name
  const given = called['arguments'] ?? called['input']
  const text = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given)
  if (text !== '') delta.arguments = text
  return delta
}

/**
 * Appends why the model stopped; some servers say `"null"` while it has not. `error`, `abort` and an error of the choice say
 * that it did not finish: the request failed.
 */
export function finish(choice: JsonObject, out: Delta[]): void {
  const reason = stringOf(choice['finish_reason'])
  if (reason !== '' && reason !== 'null') out.push({ kind: 'finish', reason })
  const error = errorOf(choice)
  if (error !== undefined) out.push(error)
  else if (reason === 'error' || reason === 'abort') out.push({ kind: 'error', type: reason, message: `the server ended the answer with finish_reason "${reason}"` })
}
