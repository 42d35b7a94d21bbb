import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { replyWith, type Reply } from '../test-support/replies.js'
import { profile } from '../test-support/profile.js'

interface Case {
  name: string
  why: string
  http: Reply
  streamed: boolean
  expect: {
    data_events: number
    token_events: number
    first_output_event: number | null
    usage: { prompt_tokens?: number; completion_tokens?: number; reasoning_tokens?: number } | null
    terminal: string
    outcome: 'success' | 'error'
    error: { category: string; code: number | null; message_contains: string } | null
  }
  derived?: { token_source: string; osl: number | null }
}

const folder = join(import.meta.dirname, 'cases', 'sse')
const cases = readdirSync(folder).filter((name) => name.endsWith('.expected.json')).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Case)

const OUTCOME: Record<string, readonly string[]> = {
  done: ['done'],
  finish_reason: ['finish', 'body'],
  error: ['server_error', 'http_error'],
  eof: ['incomplete'],
  reset: ['connection'],
}

describe('streams that broke tools like this one', () => {
  it.each(cases)('$name: $why', async (c) => {
    const server = await replyWith(readFileSync(join(folder, `${c.name}.txt`)), c.http)
    const run = await profile(server.url, '--streaming --use-server-token-count --concurrency 1 --request-count 1 --isl 20 --osl 10')
    await server.close()
    expect(run.rows).toHaveLength(1)
    const [row] = run.rows
    expect(row!.success ? 'success' : 'error').toBe(c.expect.outcome)
    expect(OUTCOME[c.expect.terminal]).toContain(row!.outcomeName)
    expect(row!.contentEvents).toBe(c.expect.token_events)
    if (c.streamed) {
      expect(row!.frames).toBe(c.expect.data_events)
      expect(Number.isNaN(row!.firstOutputNs)).toBe(c.expect.first_output_event === null)
    }
    const { usage } = c.expect
    if (usage?.completion_tokens !== undefined) expect(row!.usageCompletion).toBe(usage.completion_tokens)
    if (usage?.prompt_tokens !== undefined) expect(row!.usagePrompt).toBe(usage.prompt_tokens)
    if (usage?.reasoning_tokens !== undefined) expect(row!.reasoningTokens).toBe(usage.reasoning_tokens)
    if (c.expect.error) {
      expect(row!.error!.message.toLowerCase()).toContain(c.expect.error.message_contains.toLowerCase())
      if (c.expect.error.code !== null) expect(row!.error!.code).toBe(c.expect.error.code)
      expect(run.exitCode).toBe(1)
    } else expect(run.exitCode).toBe(0)
    if (c.derived?.token_source === 'server' && c.derived.osl !== null && row!.success)
      expect(run.result.profiling.metrics.get('output_sequence_length')?.avg).toBe(c.derived.osl)
  })
})

describe('answers that are packed although none was asked for', () => {
  const whole = { object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'Paris' }, finish_reason: 'stop' }] }
  it.each([
    ['a whole answer is read', JSON.stringify(whole), 200, 'body', undefined],
    ['a stream cannot be timed, which is said', `data: ${JSON.stringify(whole)}\n\ndata: [DONE]\n\n`, 200, 'invalid', 'gzip'],
    ['an error keeps its message', '{"error":{"message":"no room"}}', 500, 'http_error', 'no room'],
  ])('%s', async (_, body, status, outcome, message) => {
    const server = await replyWith(gzipSync(body), { status, content_type: 'text/event-stream', splits: [1], close: 'clean' })
    const { rows: [row] } = await profile(server.url, '--streaming --request-count 1')
    await server.close()
    expect(row!.outcomeName).toBe(outcome)
    if (message !== undefined) expect(row!.error!.message).toContain(message)
  })
})

it.each(['', '--export-level raw'])('a redirect is not followed: its place is told %s', async (level) => {
  const server = await replyWith(Buffer.from('<a href="/v2">moved</a>'), { status: 307, content_type: 'text/html', splits: null, close: 'clean', location: 'https://other.test/v2' })
  const { rows: [row] } = await profile(server.url, `--streaming --request-count 1 ${level}`)
  await server.close()
  expect(row!.outcomeName).toBe('http_error')
  expect(row!.error).toMatchObject({ code: 307, message: expect.stringContaining('https://other.test/v2') })
})
