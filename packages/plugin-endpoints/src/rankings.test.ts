import { describe, expect, it } from 'vitest'
import cohere from './cohere_rankings.js'
import tei from './hf_tei_rankings.js'
import nim from './nim_rankings.js'
import { whole } from '../test/decode.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'

const TURN = { texts: [{ name: 'query', contents: ['q'] }, { name: 'passages', contents: ['a', 'b'] }, { name: 'other', contents: ['x'] }] }
const COUNT = { kind: 'data', data: 'ranking', count: 2 }

describe.each([
  ['cohere_rankings', cohere, { model: 'm', query: 'q', documents: ['a', 'b'], top_n: 1 },
    { id: 'r', results: [{ index: 1, relevance_score: 0.9 }, { index: 0, relevance_score: 0.1 }], meta: { tokens: { input_tokens: 7, output_tokens: 0 } } }, [{ kind: 'usage', usage: { prompt: 7, completion: 0 } }, COUNT]],
  ['hf_tei_rankings', tei, { query: 'q', texts: ['a', 'b'], top_n: 1 }, [{ index: 1, score: 0.9 }, { index: 0, score: 0.1 }], [COUNT]],
  ['hf_tei_rankings under results', tei, { query: 'q', texts: ['a', 'b'], top_n: 1 }, { results: [{ index: 1, score: 0.9 }, { index: 0, score: 0.1 }] }, [COUNT]],
  ['nim_rankings', nim, { model: 'm', query: { text: 'q' }, passages: [{ text: 'a' }, { text: 'b' }], top_n: 1 },
    { rankings: [{ index: 0, logit: 1.5 }, { index: 1, logit: -2 }], usage: { prompt_tokens: 9, total_tokens: 9 } }, [{ kind: 'usage', usage: { prompt: 9, total: 9 } }, COUNT]],
])('%s', async (_, contribution, body, answer, deltas) => {
  const plain = await endpoint(contribution, { extraInputs: { top_n: 1 } })
  it('sends the named texts', () => {
    expect(bodyOf(plain.encode(input(TURN)))).toEqual(body)
    expect(bodyOf(plain.encode(input({ texts: [{ name: 'queries', contents: ['q', 'q2'] }, ...TURN.texts.slice(1)] })))).toEqual(body)
  })
  it('needs a query and one turn', () => {
    expect(() => plain.encode(input(text('no name')))).toThrow(/needs a text named "query", got one without a name/)
    expect(() => plain.encode(input([TURN, TURN]))).toThrow(/one turn/)
  })
  it('counts what is ranked; nothing ranked is no answer, and says so', () => {
    expect(whole(plain, answer)).toEqual(deltas)
    expect(whole(plain, { message: 'busy' })).toMatchObject([{ kind: 'malformed', reason: expect.stringContaining('busy') }])
    expect(whole(plain, Array.isArray(answer) ? [] : { results: [], rankings: [] })).toMatchObject([{ kind: 'malformed' }])
    expect(whole(plain, { error: 'Input is too long', error_type: 'Validation' })).toEqual([{ kind: 'error', message: 'Input is too long', type: 'Validation' }])
  })
  it('counts query and passages as input', () => {
    expect(plain.inputTexts(body as never)).toEqual(['q', 'a', 'b'])
  })
})
