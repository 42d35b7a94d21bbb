import { expect, test } from 'vitest'
import { chat, eventsOf, saidBy, wholeOf, wordsIn } from '../../test/chat.js'
import { startMockServer, type MockServer, type MockServerOptions } from '../index.js'

const instant = (options: MockServerOptions = {}) => startMockServer({ instant: true, ...options })

/** How many tokens an answer has, and why it ended. */
async function lengthOf(server: MockServer, extra: object): Promise<[number, string | null]> {
  const choice = wholeOf(await chat(server, { stream: false, ...extra })).choices[0]!
  return [wordsIn(choice.message.content!), choice.finish_reason]
}

test.each<[string, object, [number, string]]>([
  ['nothing', {}, [50, 'stop']],
  ['fewer', { max_tokens: 9 }, [9, 'length']],
  ['fewer, by the newer name', { max_completion_tokens: 9, max_tokens: 70 }, [9, 'length']],
  ['more', { max_tokens: 70 }, [50, 'stop']],
  ['more, and no end before', { max_tokens: 70, ignore_eos: true }, [70, 'length']],
  ['at least more', { max_tokens: 90, min_tokens: 70 }, [70, 'stop']],
])('an answer of 50 tokens where the request asks for %s', async (_, extra, expected) => {
  for (const parse of ['auto', 'always'] as const) {
    await using server = await instant({ outputTokens: 50, parse })
    expect(await lengthOf(server, extra)).toEqual(expected)
  }
})

test('without a length of its own the server says as much as it is asked for', async () => {
  await using server = await instant()
  expect(await lengthOf(server, { max_tokens: 300 })).toEqual([300, 'length'])
  expect(await lengthOf(server, {})).toEqual([128, 'stop'])
})

test('max tokens can be left unheeded', async () => {
  await using server = await instant({ outputTokens: 20, honorMaxTokens: false })
  expect(await lengthOf(server, { max_tokens: 3 })).toEqual([20, 'stop'])
})

test('the same seed gives the same answers, another seed others', async () => {
  const lengths = async (seed: number) => {
    await using server = await instant({ seed, outputTokens: 30, outputTokensStddev: 10 })
    const answers: string[] = []
    for (let count = 0; count < 12; count++) answers.push(saidBy(await chat(server)).content)
    return answers
  }
  const first = await lengths(7)
  expect(await lengths(7)).toEqual(first)
  expect((await lengths(8)).map(wordsIn)).not.toEqual(first.map(wordsIn))
  expect(new Set(first.map(wordsIn)).size).toBeGreaterThan(4)
})

test('prompt tokens: a quarter of the characters, or what the function given says', async () => {
  const extra = { stream: false, messages: [{ role: 'system', content: 'one two' }, { role: 'user', content: [{ type: 'text', text: 'three' }] }] }
  await using server = await instant()
  expect(wholeOf(await chat(server, extra)).usage!.prompt_tokens).toBe(3)
  await using counting = await instant({ countTokens: (text) => text.split(' ').length })
  expect(wholeOf(await chat(counting, extra)).usage!.prompt_tokens).toBe(3)
  expect(counting.truth()[0]).toMatchObject({ promptChars: 12, promptTokens: 3 })
})

test('a strict server knows only its models', async () => {
  await using server = await instant({ models: ['a', 'b'], strictModel: true })
  expect((await chat(server, { model: 'c' })).status).toBe(404)
  expect((await chat(server, { model: 'b' })).status).toBe(200)
  const listed = (await (await fetch(`${server.url}/v1/models`)).json()) as { data: { id: string }[] }
  expect(listed.data.map((model) => model.id)).toEqual(['a', 'b'])
})

test.each(['auto', 'always'] as const)('a request that cannot be answered gets 400 (parse: %s)', async (parse) => {
  await using server = await instant({ parse })
  for (const extra of [{ messages: undefined }]) expect((await chat(server, extra)).status).toBe(400)
  for (const body of ['', 'x', '[]', '{"messages":']) {
    const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body })
    expect(response.status, body).toBe(400)
  }
  expect(server.stats().endings).toEqual({ error: 5 })
  expect(server.stats().inFlight).toBe(0)
})

test('quoted JSON in a prompt is not taken for the request', async () => {
  await using server = await instant({ outputTokens: 5 })
  const content = JSON.stringify({ stream: true, max_tokens: 1, content: 'x' })
  const response = await chat(server, { stream: false, messages: [{ role: 'user', content }], tools: [{ properties: { stream: { type: 'x' } } }] })
  expect(wordsIn(wholeOf(response).choices[0]!.message.content!)).toBe(5)
  expect(eventsOf(response)).toEqual([])
})
