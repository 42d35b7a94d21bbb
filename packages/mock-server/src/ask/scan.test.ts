import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChat } from './chat.js'
import { scanAsk } from './scan.js'

test('a scan finds what reading the JSON finds', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom('"stream": true', '\\', '\\"', '{"max_tokens":3}', '"content":"x"', 'a\n\t"b'))
  const content = fc.oneof(text, fc.array(fc.record({ type: fc.constant('text'), text }), { maxLength: 3 }))
  const body = fc.record(
    {
      model: text,
      messages: fc.array(fc.record({ role: fc.constantFrom('user', 'system'), content }), { minLength: 1, maxLength: 4 }),
      stream: fc.boolean(),
      stream_options: fc.record({ include_usage: fc.boolean() }),
      max_tokens: fc.integer({ min: 1, max: 1e6 }),
      max_completion_tokens: fc.integer({ min: 1, max: 1e6 }),
      min_tokens: fc.nat(1000),
      ignore_eos: fc.boolean(),
      tools: fc.constant([{ function: { name: 'f', parameters: { stream: { type: 'boolean' }, max_tokens: { type: 'integer' }, description: text } } }]),
    },
    { requiredKeys: ['messages'] },
  )
  fc.assert(
    fc.property(body, fc.constantFrom(undefined, 2), (value, indent) => {
      const bytes = Buffer.from(JSON.stringify(value, undefined, indent))
      const { prompt: _, promptChars: _chars, tool: _tool, ...read } = readChat(bytes)
      expect(scanAsk(bytes, 'messages')).toMatchObject(read)
    }),
    { numRuns: 500 },
  )
})
