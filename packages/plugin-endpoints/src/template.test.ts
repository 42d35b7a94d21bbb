import type { EncodeInput, Json, JsonObject } from '@aiperf/core'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import raw from './raw.js'
import solido from './solido_rag.js'
import template from './template.js'
import { stream, whole } from '../test/decode.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'
import { afterwards } from '../test/set-up.js'

const by = async (payloadTemplate: string, of: EncodeInput = input(text('a "quoted" <b> é')), extraInputs: JsonObject = {}): Promise<Json> =>
  bodyOf((await endpoint(template, { options: { payloadTemplate }, extraInputs })).encode(of))

describe('a template', () => {
  it('renders texts as they are, whatever they hold', async () => {
    expect(await by('{"q": {{ text | tojson }}, "m": "{{ model }}", "s": {{ stream | tojson }}, "t": {{ max_tokens | tojson }}}')).toEqual({ q: 'a "quoted" <b> é', m: 'm', s: false, t: null })
    expect(await by('{"q": [{% for t in texts %}{{ t | tojson }}{{ "," if not loop.last }}{% endfor %}]}', input({ texts: [{ contents: ['<', '&'] }] }))).toEqual({ q: ['<', '&'] })
    expect(await by('{"t": {{ max_tokens | default(7, true) }}{% if image is not none %}, "i": {{ image | tojson }}{% endif %}}')).toEqual({ t: 7 })
  })

  it('knows named texts, turns and the session', async () => {
    const turns = [text('first'), { texts: [{ name: 'query', contents: ['q'] }, { name: 'passages', contents: ['a', 'b'] }], role: 'user', maxTokens: 3 }]
    const source = '{"q": {{ query | tojson }}, "p": {{ passages | tojson }}, "n": {{ texts_by_name.passages | length }}, "r": "{{ role }}", "t": {{ turn.max_tokens }}, "first": {{ turns[0].texts[0].contents[0] | tojson }}, "s": {{ request_info.system_message | tojson }}}'
    expect(await by(source, input(turns, { session: { system: 'S' } }))).toEqual({ q: 'q', p: ['a', 'b'], n: 2, r: 'user', t: 3, first: 'first', s: 'S' })
  })

  it('comes from a file, by a built-in name, or among the extra inputs, which are merged over it', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'template-'))
    afterwards(() => rmSync(dir, { recursive: true }))
    writeFileSync(join(dir, 't.j2'), '{"file": {{ text | tojson }}}')
    expect(await by(join(dir, 't.j2'), input(text('x')))).toEqual({ file: 'x' })
    expect(await by('nv-embedqa', input(text('x')))).toEqual({ text: ['x'] })
    expect(await by('', input(text('x', { extraBody: { b: 2 } })), { payload_template: '{"a": 0, "b": 0}', response_field: 'out', a: 1 })).toEqual({ a: 1, b: 2 })
  })

  it('that is missing or cannot be compiled is an error before the run', async () => {
    await expect(by('')).rejects.toThrow(/needs a template/)
    await expect(by('{"q": {{ text }')).rejects.toThrow(/cannot be used/)
    await expect(by('{"q": {% if text %}}')).rejects.toThrow(/cannot be used/)
    await expect(by('{"q": {{ text }} }')).rejects.toThrow(/no JSON.*a \\"quoted/s)
    await expect(by('[1]')).rejects.toThrow(/JSON object/)
  })
})

describe('a response field', () => {
  const read = async (responseField: string, body: Json, contribution: unknown = template) =>
    whole(await endpoint(contribution, { options: { payloadTemplate: '{}', responseField } }), body)

  it('says where the answer stands, and its form what it is', async () => {
    expect(await read('a.b[0]', { a: { b: ['hi'] } })).toContainEqual({ kind: 'text', text: 'hi' })
    expect(await read('v', { v: [1, 2] })).toContainEqual({ kind: 'data', data: 'embedding', count: 1 })
    expect(await read('v', { v: [[1], [2]] })).toContainEqual({ kind: 'data', data: 'embedding', count: 2 })
    expect(await read('r[].x', { r: [{ x: { s: 1 } }, { x: { s: 2 } }] })).toContainEqual({ kind: 'data', data: 'ranking', count: 2 })
    expect(await read('length(a)', { a: 'xyz' })).toContainEqual({ kind: 'text', text: '3' })
  })

  it('that matches nothing is a fault of the answer, in raw none', async () => {
    expect(await read('nothing', { text: 'hi' })).toMatchObject([{ kind: 'malformed', reason: expect.stringContaining('"hi"') }])
    expect(await read('length(a)', { a: 1, text: 'hi' })).toMatchObject([{ kind: 'malformed' }])
    expect(await read('nothing', { text: 'hi' }, raw)).toContainEqual({ kind: 'text', text: 'hi' })
  })

  it('that is no expression is an error before the run', async () => {
    await expect(read('a[', {})).rejects.toThrow(/no JMESPath/)
    await expect(read('a[', {}, raw)).rejects.toThrow(/no JMESPath/)
  })
})

describe('an answer of unknown form', async () => {
  const plain = await endpoint(raw)

  it.each<[string, Json | string, unknown]>([
    ['embeddings', { data: [{ embedding: [1] }, { embedding: [2] }] }, { kind: 'data', data: 'embedding', count: 2 }],
    ['one embedding', { embedding: [1, 2] }, { kind: 'data', data: 'embedding', count: 1 }],
    ['rankings', { rankings: [{}, {}] }, { kind: 'data', data: 'ranking', count: 2 }],
    ['results', { results: [{ score: 1 }] }, { kind: 'data', data: 'ranking', count: 1 }],
    ['text', { response: 'a' }, { kind: 'text', text: 'a' }],
    ['texts', { output: ['a', 'b'] }, { kind: 'text', text: 'ab' }],
    ['completions', { choices: [{ text: 'a' }] }, { kind: 'text', text: 'a' }],
    ['chat', { choices: [{ message: { content: 'a' } }] }, { kind: 'text', text: 'a' }],
    ['plain text', 'no JSON at all', { kind: 'text', text: 'no JSON at all' }],
  ])('is found: %s', (_, body, delta) => {
    expect(whole(plain, body)).toContainEqual(delta)
  })

  it('ends where the body ends, unless its chunks say so themselves', () => {
    expect(stream(plain, { text: 'a' }, { text: 'b' })).toEqual([{ kind: 'text', text: 'a' }, { kind: 'text', text: 'b' }, { kind: 'done' }])
    expect(stream(plain, { choices: [{ delta: { content: 'a' } }] })).toEqual([{ kind: 'text', text: 'a' }])
    expect(stream(plain, { choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1 } })).toEqual([{ kind: 'text', text: 'a' }, { kind: 'finish', reason: 'stop' }, { kind: 'usage', usage: { prompt: 1 } }])
    expect(stream(plain, { error: { message: 'x' } })).toEqual([{ kind: 'error', message: 'x' }])
  })

  it('is asked for by whole payloads only', () => {
    expect(() => plain.encode(input(text('x')))).toThrow(/whole payloads/)
  })
})

describe('solido_rag', async () => {
  it('asks with its filters and reads the content', async () => {
    const plain = await endpoint(solido)
    expect(bodyOf(plain.encode(input([text('old'), { texts: [{ contents: ['a', 'b'] }] }])))).toEqual({ query: ['a', 'b'], filters: { family: 'Solido', tool: 'SDE' }, inference_model: 'm' })
    expect(stream(plain, { content: 'Hi' }, { content: ' you' }, { content: '', sources: [{ id: 1 }] })).toEqual([{ kind: 'text', text: 'Hi' }, { kind: 'text', text: ' you' }, { kind: 'done' }])
    expect(plain.inputTexts({ query: ['a', 'b'] })).toEqual(['a', 'b'])
  })
})
