import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHost } from '@aiperf/core/host'
import { index } from '../../test-support/profile.js'
import { ResponseReader } from './response.js'

const folder = join(import.meta.dirname, '..', '..', 'test', 'cases', 'sse')
const bodies = readdirSync(folder).filter((name) => name.endsWith('.txt')).map((name) => readFileSync(join(folder, name))).filter((body) => body.length < 10_000)
const TYPES = ['text/event-stream', 'application/json', 'application/x-ndjson', 'application/json-seq', 'text/plain', '']

const host = createHost(index)
const endpoints = await Promise.all(
  ['chat', 'completions', 'responses', 'messages', 'huggingface_generate', 'raw'].map((type) =>
    host.activate('endpoint', type, { options: {}, streaming: true, models: ['m'], extraInputs: {}, useLegacyMaxTokens: false, useServerTokenCount: true, perChunkUsage: true })),
)
const readers = endpoints.map((endpoint) => new ResponseReader(endpoint, { keepText: true, perChunkUsage: true }))
const [chat] = readers

/** What a reader makes of a body that comes in these packets, whose memory is used again afterwards. */
function read(reader: ResponseReader, body: Uint8Array, contentType: string, cuts: readonly number[] = []) {
  reader.begin(true)
  reader.head(200, contentType, 1)
  let from = 0
  for (const to of [...cuts, body.length]) {
    const packet = new Uint8Array(body.subarray(from, to))
    reader.bytes(packet, 2)
    packet.fill(0x7a)
    from = to
  }
  reader.end(3)
  const { text, reasoning, toolText, contentEvents, frames, usage, tokenCounts, finishReason, done, malformed, streamed } = reader
  return { ...reader.outcome(), text, reasoning, toolText, contentEvents, frames, usage, tokenCounts: [...tokenCounts], finishReason, done, malformed, streamed }
}

const piece = fc.constantFrom('', '\n', '\r', '\r\n\r\n', 'data: ', 'data:', '[DONE]', '"', '{', '}', '[', ']', ',', '\\', '\\u', '\0', '\xff', '\xef\xbb\xbf', '\x1e', '\x1f\x8b', 'event: error\n', ': c\n', 'null', '1e999', '"error":{"message":"x"},', '"usage":{"completion_tokens":3},')
/** Replaces some bytes at a place by a piece. */
const change = fc.tuple(fc.nat(), fc.nat({ max: 30 }), piece)
const damaged = fc.tuple(fc.constantFrom(...bodies), fc.array(change, { maxLength: 5 })).map(([body, changes]) =>
  changes.reduce((bytes, [place, length, inserted]) => {
    const at = place % (bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted, 'latin1'), bytes.subarray(at + length)])
  }, body))

describe('a response', () => {
  it('however damaged, is read to an end, and the same in any packets', () => {
    fc.assert(
      fc.property(damaged, fc.constantFrom(...readers), fc.constantFrom(...TYPES), fc.array(fc.nat(), { maxLength: 12 }), (body, reader, type, places) => {
        const cuts = [...new Set(places.map((place) => place % (body.length + 1)))].sort((a, b) => a - b)
        expect(read(reader, body, type, cuts)).toEqual(read(reader, body, type))
      }),
    )
  })

  const chunks = ['{"choices":[{"index":0,"delta":{"content":"a"}}]}', '{"choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}']
  const events = chunks.map((chunk) => `data: ${chunk}\n\n`).join('')
  const lines = chunks.join('\r\n')
  const whole = '{"choices":[{"index":0,"message":{"content":"ab"},"finish_reason":"stop"}]}'
  const BOM = '\uFEFF'
  it.each([
    ['events behind blank lines under any type', '\n'.repeat(300) + events, 'application/json', 'finish'],
    ['events labelled as lines', events, 'application/x-ndjson', 'finish'],
    ['lines, the last one open', lines, 'application/x-ndjson', 'finish'],
    ['lines with a byte-order mark', BOM + lines, 'application/jsonl', 'finish'],
    ['a sequence of JSON texts', chunks.map((chunk) => `\u001e${chunk}\n`).join(''), 'application/json-seq', 'finish'],
    ['a whole answer with a byte-order mark', BOM + whole, 'application/json', 'body'],
    ['the same labelled as a stream', BOM + whole, 'text/event-stream', 'body'],
    ['a whole answer behind blanks, labelled as a stream', '\n'.repeat(300) + whole, 'text/event-stream', 'body'],
  ])('is read: %s', (_, body, type, outcome) => {
    for (const cuts of [[], [...Buffer.from(body).keys()].slice(1)]) expect(read(chat!, Buffer.from(body), type, cuts)).toMatchObject({ outcome, text: 'ab', malformed: 0, contentEvents: outcome === 'body' ? 1 : 2 })
  })

  it.each([
    ['a page labelled as a stream', '<html>\n<p>log in</p>', 'text/event-stream', 'incomplete', 'log in'],
    ['a message without an answer', '{"message":"no route"}', 'application/json', 'invalid', 'no route'],
    ['a page', '<html>\n<p>log in</p>', 'text/html', 'invalid', 'log in'],
  ])('without content is shown: %s', (_, body, type, outcome, message) => {
    const found = read(chat!, Buffer.from(body), type)
    expect(found.outcome).toBe(outcome)
    expect(found.error?.message).toContain(message)
  })
})
