import type { Delta, Json, JsonObject } from '@aiperf/core'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, objectOf, stringOf } from './json.js'
import { pushUsage } from './usage.js'

/** Events that bring a piece of text in `delta`, and what it is. */
const PIECES: Readonly<Record<string, 'text' | 'reasoning'>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'text',
  'response.reasoning_text.delta': 'reasoning',
  'response.reasoning_summary_text.delta': 'reasoning',
}
const TOOL_PIECES = new Set(['response.function_call_arguments.delta', 'response.custom_tool_call_input.delta', 'response.mcp_call_arguments.delta'])
/** Events that repeat as a whole what came in pieces; read only when the pieces did not come. */
const WHOLES: Readonly<Record<string, { kind: 'text' | 'reasoning'; field: string }>> = {
  'response.output_text.done': { kind: 'text', field: 'text' },
  'response.refusal.done': { kind: 'text', field: 'refusal' },
  'response.reasoning_text.done': { kind: 'reasoning', field: 'text' },
  'response.reasoning_summary_text.done': { kind: 'reasoning', field: 'text' },
}

/** Reads events and bodies of OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses-streaming). */
export class ResponsesReader implements FrameReader {
  /** Places (kind, output and content index) whose text came in pieces. */
  readonly #seen = new Set<string>()
  #content = false

  read(body: Json, out: Delta[]): void {
    const root = objectOf(body)
    if (root === undefined) return
    const type = stringOf(root['type'])
    const before = out.length
    if (type === '') {
      if (root['object'] === 'response') this.#whole(root, out)
    } else this.#event(type, root, out)
    for (let i = before; i < out.length; i++) {
      const { kind } = out[i]!
      if (kind === 'text' || kind === 'reasoning' || kind === 'tool') this.#content = true
    }
  }

  #event(type: string, root: JsonObject, out: Delta[]): void {
    const piece = PIECES[type]
    if (piece !== undefined) {
      this.#seen.add(place(piece, root))
      const text = stringOf(root['delta'])
      if (text !== '') out.push({ kind: piece, text })
    } else if (TOOL_PIECES.has(type)) {
      this.#seen.add(place('tool', root))
      const text = stringOf(root['delta'])
      if (text !== '') out.push({ kind: 'tool', index: indexOf(root), arguments: text })
    } else if (WHOLES[type] !== undefined) {
      const { kind, field } = WHOLES[type]
      const text = stringOf(root[field])
      if (text !== '' && !this.#seen.has(place(kind, root))) out.push({ kind, text })
    } else if (type === 'response.function_call_arguments.done') {
      const text = stringOf(root['arguments'])
      if (text !== '' && !this.#seen.has(place('tool', root))) out.push({ kind: 'tool', index: indexOf(root), arguments: text })
      this.#seen.add(place('tool', root))
    } else if (type === 'response.output_item.added') callOf(objectOf(root['item']), indexOf(root), false, out)
    else if (type === 'response.output_item.done') {
      if (objectOf(root['item']) !== undefined) out.push({ kind: 'reply', item: root['item']! })
    } else if (type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed' || type === 'response.cancelled') this.#last(type, objectOf(root['response']), out)
    else idOf(objectOf(root['response']), out)
  }

  /** The last event: status, usage, and the output where no text came before. */
  #last(type: string, response: JsonObject | undefined, out: Delta[]): void {
    if (response === undefined) return
    if (!this.#content) outputOf(response, out)
    this.#close({ ...response, status: response['status'] ?? type.slice('response.'.length) }, out)
    out.push({ kind: 'done' })
  }

  #whole(response: JsonObject, out: Delta[]): void {
    outputOf(response, out)
    this.#close(response, out)
  }

  #close(response: JsonObject, out: Delta[]): void {
    for (const item of arrayOf(response['output'])) out.push({ kind: 'reply', item })
    pushUsage(response, out)
    const status = stringOf(response['status'])
    const reason = stringOf(objectOf(response['incomplete_details'])?.['reason'])
    if (status === 'completed') {
      idOf(response, out)
      out.push({ kind: 'finish', reason: 'completed' })
    } else if (status === 'incomplete' && /^max_(output_)?tokens$/.test(reason)) out.push({ kind: 'finish', reason })
    else if (status === 'incomplete' || status === 'failed' || status === 'cancelled') out.push(failure(status, reason, objectOf(response['error'])))
  }

  pick(body: Json): string | undefined {
    const root = objectOf(body)
    const type = stringOf(root?.['type'])
    return PIECES[type] !== undefined || TOOL_PIECES.has(type) ? stringOf(root!['delta']) : undefined
  }
}

function indexOf(root: JsonObject): number {
  return typeof root['output_index'] === 'number' ? root['output_index'] : 0
}
function place(kind: string, root: JsonObject): string {
  return `${kind} ${String(root['output_index'])} ${String(root['content_index'] ?? root['summary_index'])}`
}

function idOf(response: JsonObject | undefined, out: Delta[]): void {
  const id = stringOf(response?.['id'])
  if (id !== '') out.push({ kind: 'reply', id })
}

function failure(status: string, reason: string, error: JsonObject | undefined): Delta {
  const type = stringOf(error?.['type']) || stringOf(error?.['code']) || `response_${status}`
  return { kind: 'error', type, message: stringOf(error?.['message']) || `the response ended with status "${status}"${reason === '' ? '' : `: ${reason}`}` }
}

/** Text, reasoning and calls of a whole response. */
function outputOf(response: JsonObject, out: Delta[]): void {
  const before = out.length
  arrayOf(response['output']).forEach((value, index) => {
    const item = objectOf(value)
    if (item === undefined) return
    if (item['type'] === 'reasoning') {
      const parts = arrayOf(item['summary']).concat(arrayOf(item['content']))
      textsOf(parts, 'reasoning', out)
    } else if (item['type'] === 'message' || item['role'] !== undefined) {
      if (typeof item['content'] === 'string') textsOf([{ text: item['content'] }], 'text', out)
      else textsOf(arrayOf(item['content']), 'text', out)
    } else callOf(item, index, true, out)
  })
  const text = stringOf(response['output_text'])
  if (out.length === before && text !== '') out.push({ kind: 'text', text })
}

function textsOf(parts: readonly Json[], kind: 'text' | 'reasoning', out: Delta[]): void {
  for (const value of parts) {
    const part = objectOf(value)
    const text = stringOf(part?.['text']) || stringOf(part?.['refusal'])
    if (text !== '') out.push({ kind, text })
  }
}

function callOf(item: JsonObject | undefined, index: number, whole: boolean, out: Delta[]): void {
  if (item === undefined || (item['type'] !== 'function_call' && item['type'] !== 'custom_tool_call')) return
  const delta: Delta = { kind: 'tool', index }
  const id = stringOf(item['call_id']) || stringOf(item['id'])
  if (id !== '') delta.id = id
  const name = stringOf(item['name'])
  if (name !== '') delta.name = name
  const given = stringOf(item['arguments']) || stringOf(item['input'])
  if (whole && given !== '') delta.arguments = given
  out.push(delta)
}
