import { describe, expect, test } from 'vitest'
import type { EndpointContext, EncodeInput, JsonObject } from '@aiperf/core'
import { testPlugin } from '@aiperf/conformance'
import quill from '../src/quill.js'

const lines = (...items: object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    endpoint: {
      quill: {
        answers: [
          {
            title: 'a stream with a thought',
            framing: 'ndjson',
            body: lines({ is: 'thought', text: 'Hm.' }, { is: 'piece', text: 'Hel' }, { is: 'tick' }, { is: 'piece', text: 'lo' }, { is: 'end', why: 'done', counts: { in: 9, out: 2, thought: 1 } }),
            expect: { text: 'Hello', reasoning: 'Hm.', finish: 'done', usage: { prompt: 9, completion: 2, reasoning: 1 }, done: true },
          },
          { title: 'a failure in the middle', framing: 'ndjson', body: lines({ is: 'piece', text: 'Hel' }, { is: 'failure', message: 'out of ink' }), expect: { text: 'Hel', error: 'out of ink', done: false } },
          { title: 'a whole answer', framing: 'body', body: '{"text":"Hello","why":"limit","counts":{"in":9,"out":2}}', expect: { text: 'Hello', finish: 'limit', usage: { prompt: 9, completion: 2 } } },
          { title: 'a failure', framing: 'body', body: '{"is":"failure","message":"unknown engine"}', expect: { error: 'unknown engine' } },
        ],
      },
    },
  },
})

const CONTEXT: EndpointContext<{ quillWarmth: number; quillThinks: boolean }> = { options: { quillWarmth: 0.2, quillThinks: true }, streaming: true, models: ['quill-1'], extraInputs: { seed: 7 }, useLegacyMaxTokens: false, useServerTokenCount: false, perChunkUsage: false }
const bodyOf = async (input: Pick<EncodeInput, 'turns'> & Partial<EncodeInput>): Promise<JsonObject> => {
  const endpoint = await quill.create(CONTEXT)
  return JSON.parse(Buffer.from(endpoint.encode({ replies: input.turns.map(() => undefined), session: {}, ...input }).body).toString()) as JsonObject
}

test('a conversation is sent in Quill\'s words', async () => {
  const turns = [{ texts: [{ contents: ['Hello'] }] }, { texts: [{ contents: ['And you?'] }], maxTokens: 20, extraBody: { mood: 'calm' } }]
  expect(await bodyOf({ turns, replies: [{ by: 'quill', say: 'Hi.' }, undefined], session: { system: 'Be brief.' } })).toEqual({
    engine: 'quill-1', manner: 'Be brief.', talk: [{ by: 'user', say: 'Hello' }, { by: 'quill', say: 'Hi.' }, { by: 'user', say: 'And you?' }], stream: true, style: { warmth: 0.2, thinks: true }, atMost: 20, seed: 7, mood: 'calm',
  })
})

test('the manner and everything that was said are input', async () => {
  const endpoint = await quill.create(CONTEXT)
  expect(endpoint.inputTexts({ manner: 'M', talk: [{ by: 'user', say: 'a' }, { by: 'quill', say: 'b' }, { by: 'user', say: '' }] })).toEqual(['M', 'a', 'b'])
  expect(endpoint.inputTexts({ talk: 'x' })).toEqual([])
})
