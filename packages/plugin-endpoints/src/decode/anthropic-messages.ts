import type { Delta, Json, JsonObject } from '@aiperf/core'
import type { FrameReader } from './frame-decoder.js'
import { arrayOf, objectOf, stringOf } from './json.js'
import { readUsage } from './usage.js'

/**
 * Reads events and bodies of Anthropic's Messages API (https://docs.anthropic.com/en/api/messages-streaming).
 *
 * Each content block is announced by a `reply` delta with the block, its content left out; what follows fills it. So the
 * blocks can be put together in their own order, from a stream and from a body alike.
 */
export class MessagesReader implements FrameReader {
  readonly #usage: JsonObject = {}

  read(body: Json, out: Delta[]): void {
    const root = objectOf(body)
    if (root === undefined) return
    switch (root['type']) {
      case 'message':
        arrayOf(root['content']).forEach((block, index) => startBlock(index, objectOf(block), out))
        this.#takeUsage(root['usage'], out)
        stop(root, out)
        break
      case 'message_start':
        this.#takeUsage(objectOf(root['message'])?.['usage'], out)
        break
      case 'content_block_start':
        startBlock(indexOf(root), objectOf(root['content_block']), out)
        break
      case 'content_block_delta':
        fillBlock(indexOf(root), objectOf(root['delta']), out)
        break
      case 'message_delta':
        this.#takeUsage(root['usage'], out)
        stop(objectOf(root['delta']), out)
        break
      case 'message_stop':
        out.push({ kind: 'done' })
    }
  }

  /** Keys of earlier events count where the last one lacks them. */
  #takeUsage(usage: Json | undefined, out: Delta[]): void {
    const given = objectOf(usage)
    if (given === undefined) return
    for (const [key, value] of Object.entries(given)) if (value !== null) this.#usage[key] = value
    const counts = readUsage(this.#usage)
    if (counts !== undefined) out.push({ kind: 'usage', usage: counts })
  }

  pick(body: Json): string | undefined {
    const root = objectOf(body)
    if (root?.['type'] !== 'content_block_delta') return undefined
    const delta = objectOf(root['delta'])
    const field = FIELDS[stringOf(delta?.['type'])]
    return field === undefined ? undefined : stringOf(delta![field])
  }
}

const FIELDS: Readonly<Record<string, 'text' | 'thinking' | 'partial_json'>> = { text_delta: 'text', thinking_delta: 'thinking', input_json_delta: 'partial_json' }

function startBlock(index: number, block: JsonObject | undefined, out: Delta[]): void {
  if (block === undefined) return
  const type = stringOf(block['type'])
  if (type === 'text') {
    out.push({ kind: 'reply', item: { ...block, text: '' } })
    push('text', block['text'], out)
  } else if (type === 'thinking') {
    out.push({ kind: 'reply', item: { ...block, thinking: '' } })
    push('reasoning', block['thinking'], out)
  } else if (type.endsWith('tool_use')) {
    out.push({ kind: 'reply', item: { ...block, input: {} } })
    const input = objectOf(block['input'])
    const delta: Delta = { kind: 'tool', index, id: stringOf(block['id']), name: stringOf(block['name']) }
    if (input !== undefined && Object.keys(input).length > 0) delta.arguments = JSON.stringify(input)
    out.push(delta)
  } else out.push({ kind: 'reply', item: block })
}

function fillBlock(index: number, delta: JsonObject | undefined, out: Delta[]): void {
  switch (delta?.['type']) {
    case 'text_delta':
      push('text', delta['text'], out)
      break
    case 'thinking_delta':
      push('reasoning', delta['thinking'], out)
      break
    case 'signature_delta':
      out.push({ kind: 'reply', item: delta })
      break
    case 'input_json_delta': {
      const text = stringOf(delta['partial_json'])
      if (text !== '') out.push({ kind: 'tool', index, arguments: text })
    }
  }
}

function indexOf(root: JsonObject): number {
  return typeof root['index'] === 'number' ? root['index'] : 0
}

function push(kind: 'text' | 'reasoning', value: Json | undefined, out: Delta[]): void {
  const text = stringOf(value)
  if (text !== '') out.push({ kind, text })
}

function stop(from: JsonObject | undefined, out: Delta[]): void {
  const reason = stringOf(from?.['stop_reason'])
  if (reason !== '') out.push({ kind: 'finish', reason })
}

/** The content blocks of an answer, put together from its deltas. */
export function blocksOf(deltas: readonly Delta[]): JsonObject[] {
  const blocks: { block: JsonObject; json: string }[] = []
  for (const delta of deltas) {
    if (delta.kind === 'reply') {
      const item = objectOf(delta.item)
      if (item === undefined) continue
      if (item['type'] === 'signature_delta') append(blocks.at(-1)?.block, 'signature', stringOf(item['signature']))
      else blocks.push({ block: { ...item }, json: '' })
    } else if (delta.kind === 'text') append(blocks.at(-1)?.block, 'text', delta.text)
    else if (delta.kind === 'reasoning') append(blocks.at(-1)?.block, 'thinking', delta.text)
    else if (delta.kind === 'tool' && blocks.length > 0) blocks.at(-1)!.json += delta.arguments ?? ''
  }
  for (const { block, json } of blocks) if (json !== '') block['input'] = inputOf(json)
  return blocks.map(({ block }) => block)
}

function append(block: JsonObject | undefined, key: string, text: string): void {
  if (block !== undefined && text !== '') block[key] = stringOf(block[key]) + text
}

/** Arguments that are no JSON (an answer cut by its limit) are sent back as none. */
function inputOf(json: string): Json {
  try {
    return JSON.parse(json) as Json
  } catch {
    return {}
  }
}
