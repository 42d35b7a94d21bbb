import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testPlugin } from '@aiperf/conformance'
import acme from './acme-name.js'

const stream = (...events: (object | string)[]) => events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    endpoint: {
      acme_name: {
        answers: [
          // Record more of these from the real server: each is read, damaged and read again.
          {
            title: 'a stream',
            framing: 'sse',
            body: stream({ choices: [{ text: 'Hel' }] }, { choices: [{ text: 'lo', finish_reason: 'stop' }] }, { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }, '[DONE]'),
            expect: { text: 'Hello', finish: 'stop', usage: { prompt: 3, completion: 2 }, done: true },
          },
          { title: 'a whole body', framing: 'body', body: JSON.stringify({ choices: [{ text: 'Hello', finish_reason: 'length' }] }), expect: { text: 'Hello', finish: 'length' } },
          { title: 'an error', framing: 'body', body: '{"error":{"message":"overloaded"}}', expect: { error: 'overloaded' } },
        ],
      },
    },
  },
})

test('the temperature is sent', async () => {
  const endpoint = await acme.create({ options: { temperature: 0.5 }, streaming: false, models: ['m'], extraInputs: {}, useLegacyMaxTokens: false, useServerTokenCount: false, perChunkUsage: false })
  const { body } = endpoint.encode({ turns: [{ texts: [{ contents: ['Hi'] }] }], replies: [undefined], session: {} })
  assert.equal(JSON.parse(Buffer.from(body).toString()).temperature, 0.5)
})
