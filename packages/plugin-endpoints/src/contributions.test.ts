import type { Delta, Endpoint, EndpointMeta, Json } from '@aiperf/core'
import fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoint } from '../test/endpoint.js'
import { frameOf } from '../test/frames.js'

interface Declared { entry: string; options?: string; meta: EndpointMeta }
const { aiperf } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  aiperf: { contributes: Record<'endpoint' | 'transport', Record<string, Declared>> }
}
const source = (path: string): URL => new URL(`./${path.replace('./dist/', '').replace(/\.js$/, '.ts')}`, import.meta.url)

/** Names that the readers look for, so that random values get past the first question. */
const key = fc.constantFrom(
  'choices', 'delta', 'message', 'content', 'text', 'tool_calls', 'function', 'arguments', 'index', 'usage', 'error', 'type', 'data', 'object', 'output', 'response',
  'item', 'results', 'rankings', 'token', 'generated_text', 'details', 'status', 'id', 'content_block', 'metrics', 'speculative_decoding', 'embedding', 'embeddings', 'b64_json', 'messages', 'input', 'tools', 'x',
)
const word = fc.constantFrom('', 'a', 'chat.completion.chunk', 'text_completion', 'response', 'response.completed', 'response.output_text.delta', 'response.output_item.done', 'message', 'message_start', 'content_block_start', 'content_block_delta', 'text_delta', 'tool_use', 'completed', 'failed', 'error', 'function_call', 'embedding')
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof({ depthSize: 'medium', withCrossShrink: true }, word, fc.integer(), fc.constantFrom(null, true, false, 0.5), fc.array(tie('json'), { maxLength: 3 }), fc.dictionary(key, tie('json'), { maxKeys: 5 })) as fc.Arbitrary<Json>,
}))
const frame = fc.record({
  data: fc.oneof({ weight: 5, arbitrary: json.map((value) => Buffer.from(JSON.stringify(value))) }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((b) => Buffer.from(b)) }, { weight: 1, arbitrary: fc.constant(Buffer.from('[DONE]')) }),
  event: fc.constantFrom('', '', 'error', 'message'),
  comment: fc.constantFrom('', 'ping'),
  framing: fc.constantFrom('sse', 'sse', 'body', 'ndjson'),
} as const)

const KINDS = new Set<Delta['kind']>(['text', 'reasoning', 'tool', 'usage', 'finish', 'done', 'error', 'data', 'reply', 'field', 'malformed'])

describe.each(Object.entries(aiperf.contributes.endpoint))('endpoint %s', (name, { entry, options, meta }) => {
  let made: Endpoint
  beforeAll(async () => {
    const module = (await import(source(entry).href)) as { default: unknown }
    made = await endpoint(module.default, { options: { payloadTemplate: '{}' } })
  })

  it('is what it declares', () => {
    if (options !== undefined) expect(existsSync(source(options))).toBe(true)
    expect(made.polling !== undefined).toBe(meta.polling === true)
    expect(meta.path === '' || meta.path.startsWith('/')).toBe(true)
    expect(meta).toMatchObject({ description: expect.any(String), streams: expect.any(Boolean), producesTokens: expect.any(Boolean), tokenizesInput: expect.any(Boolean), media: expect.any(Array), metricsTitle: expect.any(String) })
    expect(meta.auth).toBe(name === 'messages' ? 'x-api-key' : 'bearer')
  })

  it('survives every answer', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), (frames) => {
        const decoder = made.decoder()
        const deltas: Delta[] = []
        for (const { data, ...rest } of frames) deltas.push(...(structuredClone(decoder.push(frameOf(data, rest))) as Delta[]))
        deltas.push(...decoder.end())
        for (const delta of deltas) expect(KINDS.has(delta.kind)).toBe(true)
        made.conversational?.reply(deltas)
      }),
      { numRuns: 150 },
    )
  })

  it('survives every body and job', () => {
    fc.assert(
      fc.property(json, (body) => {
        for (const text of made.inputTexts(body)) expect(typeof text).toBe('string')
        made.polling?.next(body)
      }),
      { numRuns: 150 },
    )
  })
})

it('entry modules load no zod: it costs each thread tens of milliseconds', () => {
  for (const kind of Object.values(aiperf.contributes)) for (const { entry } of Object.values(kind)) expect(readFileSync(source(entry), 'utf8')).not.toMatch(/from 'zod'|import(?! type)[^\n]*\.options\.js/)
})
