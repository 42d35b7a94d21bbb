import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHAT, chat, chatBody, eventsOf } from '../../test/chat.js'
import { RawClient } from '../../test/raw-client.js'
import { startMockServer, type ServerStats, type TruthRecord } from '../index.js'

test('a record says who asked what, when it came and when each token went', async () => {
  await using server = await startMockServer({ ttftMs: 10, itlMs: 2, outputTokens: 4 })
  const before = BigInt(Date.now()) * 1_000_000n
  const client = await RawClient.open(server)
  for (let count = 0; count < 2; count++) await client.post(CHAT, chatBody(), { 'x-request-id': `r${count}`, 'x-correlation-id': 'c' })
  const after = BigInt(Date.now() + 1) * 1_000_000n
  const [first, second] = server.truth()
  expect(first).toMatchObject({ ordinal: 0, requestId: 'r0', correlationId: 'c', path: CHAT, model: 'mock-model', stream: true, status: 200, ending: 'complete', finishReason: 'stop', tokens: 4, tokensPlanned: 4, promptChars: 14, promptTokens: 4, onConnection: 0, faults: [] })
  expect(second).toMatchObject({ ordinal: 1, requestId: 'r1', connection: first!.connection, onConnection: 1, inFlight: 0 })
  expect(BigInt(first!.arrivalUnixNs)).toBeGreaterThan(before)
  expect(BigInt(second!.arrivalUnixNs)).toBeLessThan(after)
  expect(first!.sentUs).toBeInstanceOf(Uint32Array)
  expect(first!.sentUs).toEqual(first!.sentUs.toSorted())
  expect(first!.endUs).toBeGreaterThanOrEqual(first!.sentUs[3]!)
  client.close()
})

test('the time between head and body is told', async () => {
  await using server = await startMockServer({ instant: true })
  const client = await RawClient.open(server)
  const text = JSON.stringify(chatBody())
  client.write(`POST ${CHAT} HTTP/1.1\r\nhost: x\r\ncontent-length: ${text.length}\r\n\r\n`)
  await new Promise((resolve) => setTimeout(resolve, 30))
  client.write(text)
  await client.response()
  expect(server.truth()[0]!.headBeforeUs).toBeGreaterThan(15_000)
  client.close()
})

test('a client that goes away is seen to', async () => {
  await using server = await startMockServer({ itlMs: 20, outputTokens: 100 })
  const client = await RawClient.open(server)
  client.write(`POST ${CHAT} HTTP/1.1\r\ncontent-length: ${JSON.stringify(chatBody()).length}\r\n\r\n${JSON.stringify(chatBody())}`)
  await client.until(() => client.reads.length > 0)
  expect(server.truth()[0]!.ending).toBe('open')
  client.close()
  while (server.stats().inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const [record] = server.truth()
  expect(record!.ending).toBe('gone')
  expect(record!.tokens).toBeLessThan(100)
})

test('how many were in flight, at each arrival and over time', async () => {
  await using server = await startMockServer({ ttftMs: 250, outputTokens: 1 })
  await Promise.all(Array.from({ length: 5 }, () => chat(server)))
  expect(server.truth().map((record) => record.inFlight)).toEqual([0, 1, 2, 3, 4])
  const stats = server.stats()
  expect(stats).toMatchObject({ requests: 5, inFlight: 0, maxInFlight: 5, endings: { complete: 5 }, statuses: { 200: 5 }, chunks: 5, tokens: 5 })
  expect(stats.inFlightMs).toHaveLength(6)
  expect(stats.inFlightMs[5]).toBeGreaterThan(20)
})

test('the same truth by HTTP and in the log, and a reset', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mock-server-'))
  const log = join(folder, 'truth.jsonl')
  const server = await startMockServer({ instant: true, log, outputTokens: 3 })
  for (let count = 0; count < 3; count++) await chat(server)
  const served = (await (await fetch(`${server.url}/__truth`)).text()).trim().split('\n').map((line) => JSON.parse(line) as TruthRecord)
  expect(served).toEqual(server.truth().map((record) => ({ ...record, sentUs: Array.from(record.sentUs) })))
  const stats = (await (await fetch(`${server.url}/__stats`)).json()) as ServerStats
  expect(stats).toMatchObject({ requests: 3, tokens: 9 })
  expect((await fetch(`${server.url}/__reset`, { method: 'POST' })).status).toBe(200)
  expect(server.truth()).toEqual([])
  expect(server.stats()).toMatchObject({ requests: 0, tokens: 0, maxInFlight: 0 })
  await chat(server)
  expect(server.truth()[0]!.ordinal).toBe(0)
  await server.close()
  const lines = (await readFile(log, 'utf8')).trim().split('\n').map((line) => JSON.parse(line) as TruthRecord)
  expect(lines.slice(0, 3)).toEqual(served)
  expect(lines).toHaveLength(4)
  await rm(folder, { recursive: true })
})

test('only the newest records are kept', async () => {
  await using server = await startMockServer({ instant: true, truthMax: 3 })
  for (let count = 0; count < 5; count++) await chat(server)
  expect(server.truth().map((record) => record.ordinal)).toEqual([2, 3, 4])
})

test('requests can be captured, and prompts hashed', async () => {
  await using server = await startMockServer({ instant: true, captureRequests: true, promptHash: true })
  for (const content of ['a', 'b', 'a']) await chat(server, { messages: [{ role: 'user', content }] }, { 'x-test': 'y' })
  const records = server.truth()
  expect(records[0]!.headers).toMatchObject({ host: 'test', 'x-test': 'y' })
  expect(JSON.parse(records[0]!.body!)).toEqual(chatBody({ messages: [{ role: 'user', content: 'a' }] }))
  expect(records[0]!.promptHash).toMatch(/^[0-9a-f]{16}$/)
  expect(records[2]!.promptHash).toBe(records[0]!.promptHash)
  expect(records[1]!.promptHash).not.toBe(records[0]!.promptHash)
})

test('the metrics are those of vLLM by name', async () => {
  await using server = await startMockServer({ instant: true, outputTokens: 7 })
  await chat(server)
  await chat(server, { max_tokens: 2 })
  const exposed = await (await fetch(`${server.url}/metrics`)).text()
  for (const line of [
    'vllm:prompt_tokens_total{model_name="mock-model"} 8',
    'vllm:generation_tokens_total{model_name="mock-model"} 9',
    'vllm:request_success_total{model_name="mock-model",finished_reason="stop"} 1',
    'vllm:request_success_total{model_name="mock-model",finished_reason="length"} 1',
    'vllm:time_to_first_token_seconds_count{model_name="mock-model"} 2',
    'vllm:e2e_request_latency_seconds_bucket{model_name="mock-model",le="+Inf"} 2',
  ]) {
    expect(exposed.split('\n')).toContain(line)
  }
})

test('embeddings answer each input', async () => {
  await using server = await startMockServer({ embeddingDimensions: 8, ttftMs: 5 })
  const client = await RawClient.open(server)
  const response = await client.post('/v1/embeddings', { model: 'm', input: ['one', 'two'] })
  const { data, usage } = JSON.parse(response.body) as { data: { object: string; embedding: number[] }[]; usage: object }
  expect(data.map((item) => [item.object, item.embedding.length])).toEqual([['embedding', 8], ['embedding', 8]])
  expect(usage).toEqual({ prompt_tokens: 2, total_tokens: 2 })
  expect((await client.post('/v1/embeddings', { model: 'm' })).status).toBe(400)
  expect(eventsOf(response)).toEqual([])
  client.close()
})
