import type { Delta, Json } from '@aiperf/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameDecoder, type FrameReader } from './frame-decoder.js'
import { ChatReader } from './openai-chat.js'
import { CompletionsReader } from './openai-completions.js'
import { frameOf } from '../../test/frames.js'

/** Deltas of a sequence of frames, with the template or without it. */
function decode(reader: FrameReader, frames: { data: Uint8Array; event: string }[], fast: boolean): Delta[][] {
  const hidden: FrameReader = { read: (body, out, frame) => reader.read(body, out, frame), end: (out) => reader.end?.(out) }
  const decoder = new FrameDecoder(fast ? reader : hidden)
  const deltas = frames.map(({ data, event }) => structuredClone(decoder.push(frameOf(data, { event }))) as Delta[])
  return [...deltas, structuredClone(decoder.end()) as Delta[]]
}

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', ' the', 'Hi', '.', '\n', ' ', '') },
  { weight: 3, arbitrary: fc.constantFrom('"', '\\', '\\"', '{"content":"a"}', '"},"x":{"', '\u0000', '\u001f', '\u007f', 'é', '中文', '🙂', '\ud83d', '\ude42', '</', '\u2028', 'stop', 'assistant') },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
)

/** How a server may write its JSON. */
const style = fc.record({
  spaced: fc.boolean(),
  ascii: fc.boolean(),
  slashes: fc.boolean(),
  order: fc.boolean(),
  extra: fc.constantFrom(undefined, undefined, 'token_ids', 'logprobs', 'obfuscation'),
})
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never

function write(value: Json, { spaced, ascii, slashes }: Style): string {
  let text = spaced ? JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ') : JSON.stringify(value)
  if (ascii) text = text.replace(/[\x7f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return slashes ? text.replaceAll('/', '\\/') : text
}

type Chunk = { field: string; text: string; id: string; created: number; n: number }
const chunk: fc.Arbitrary<Chunk> = fc.record({
  field: fc.oneof({ weight: 8, arbitrary: fc.constant('content') }, { weight: 3, arbitrary: fc.constantFrom('reasoning_content', 'reasoning', 'arguments', 'role', 'finish', 'usage', 'refusal', 'both', 'report', 'call', 'bare') }),
  text: piece,
  id: fc.oneof({ weight: 9, arbitrary: fc.constant('c1') }, { weight: 1, arbitrary: fc.constantFrom('c2', 'a') }),
  created: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constantFrom(2, 10) }),
  n: fc.nat(99),
})

function chatChunk({ field, text, id, created, n }: Chunk, s: Style): Json {
  const delta: Record<string, Json> =
    field === 'arguments' ? { tool_calls: [{ index: 0, function: { arguments: text } }] }
    : field === 'call' ? { tool_calls: [{ id, function: { name: 'f', arguments: text } }] }
    : field === 'bare' ? { tool_calls: [{ function: { arguments: text } }] }
    : field === 'role' ? { role: 'assistant', content: text }
    : field === 'both' ? { reasoning_content: text, content: text }
    : field === 'finish' || field === 'usage' ? {}
    : { [field === 'report' ? 'content' : field]: text }
  const choice: Record<string, Json> = s.order ? { finish_reason: field === 'finish' ? 'stop' : null, delta, index: 0 } : { index: 0, delta, finish_reason: field === 'finish' ? 'stop' : null }
  if (s.extra !== undefined) choice[s.extra] = s.extra === 'token_ids' ? [n] : `x${n}`
  const usage: Record<string, Json> = field === 'usage' ? { usage: { prompt_tokens: 3, completion_tokens: n } } : {}
  const metrics: Record<string, Json> = field === 'report' ? { metrics: { speculative_decoding: { num_spec_steps: 1, acceptance_histogram: [0, 1] } } } : {}
  return { id, object: 'chat.completion.chunk', created, choices: [choice], ...usage, ...metrics }
}

const raw = fc.oneof(fc.constantFrom('[DONE]', '', '{', '{"choices":[]}', '{"error":{"message":"a"}}', '"a"', '{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}'), fc.string({ maxLength: 30 }))

/** Chunks that differ in their text, as most of a stream do. */
const run = fc.tuple(chunk, fc.array(piece, { minLength: 1, maxLength: 8 })).map(([like, texts]) => texts.map((text) => ({ ...like, text })))

describe('decoding by the form of a chunk', () => {
  it('equals parsing each chunk, in chat', () => {
    let fastOnes = 0
    fc.assert(
      fc.property(style, fc.array(fc.oneof({ weight: 8, arbitrary: run }, { weight: 1, arbitrary: fc.tuple(raw) }), { maxLength: 8 }), fc.constantFrom('', '', 'message'), (s, runs, event) => {
        const frames = runs.flat().map((item) => ({ data: Buffer.from(typeof item === 'string' ? item : write(chatChunk(item, s), s)), event }))
        const counting = new ChatReader()
        const read = counting.read.bind(counting)
        let parsed = 0
        counting.read = (body, out) => {
          parsed++
          read(body, out)
        }
        expect(decode(counting, frames, true)).toEqual(decode(new ChatReader(), frames, false))
        fastOnes += frames.length - parsed
      }),
      { numRuns: 800 },
    )
    expect(fastOnes).toBeGreaterThan(1000)
  })

  it('equals parsing each chunk, in completions', () => {
    fc.assert(
      fc.property(style, fc.array(piece, { maxLength: 25 }), (s, texts) => {
        const frames = texts.map((text, i) => ({ data: Buffer.from(write({ id: 'c', object: 'text_completion', choices: [{ text, index: 0, finish_reason: i === 20 ? 'length' : null }] }, s)), event: '' }))
        expect(decode(new CompletionsReader(), frames, true)).toEqual(decode(new CompletionsReader(), frames, false))
      }),
      { numRuns: 400 },
    )
  })

  it('equals parsing when bytes are damaged', () => {
    fc.assert(
      fc.property(style, fc.array(fc.tuple(chunk, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean()), { maxLength: 12 }), (s, items) => {
        const frames = items.map(([item, at, byte, damage]) => {
          const data = Buffer.from(write(chatChunk(item, s), s))
          if (damage) data[at % data.length] = byte
          return { data, event: '' }
        })
        expect(decode(new ChatReader(), frames, true)).toEqual(decode(new ChatReader(), frames, false))
      }),
      { numRuns: 600 },
    )
  })

  it('parses two chunks of a plain stream and no more', () => {
    let parsed = 0
    const reader = new ChatReader()
    const read = reader.read.bind(reader)
    reader.read = (body, out) => {
      parsed++
      read(body, out)
    }
    const s: Style = { spaced: false, ascii: false, slashes: false, order: false, extra: undefined }
    const frames = Array.from({ length: 50 }, (_, n) => ({ data: Buffer.from(write(chatChunk({ field: n === 0 ? 'role' : 'content', text: n === 0 ? '' : ` w${n}`, id: 'c', created: 1, n }, s), s)), event: '' }))
    const deltas = decode(reader, frames, true)
    expect(parsed).toBe(2)
    expect(deltas.flat()).toHaveLength(49)
  })
})
