import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
