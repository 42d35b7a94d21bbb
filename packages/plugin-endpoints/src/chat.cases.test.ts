import type { Delta, Usage } from '@aiperf/core'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import chat from './chat.js'
import { answerOf } from './decode/tool-calls.js'
import { endpoint } from '../test/endpoint.js'
import { decodeBody, isTokenEvent, type Decoded } from '../test/frames.js'

interface Case {
  name: string
  http: { splits: number[] | 'every_byte' | null; close: 'clean' | 'abrupt' }
  streamed: boolean
  expect: {
    data_events: number
    token_events: number
    first_token_event: number | null
    first_output_event: number | null
    last_token_event: number | null
    content: string | null
    reasoning: string
    tool_calls: { index: number; id: string; name: string; arguments: string }[]
    usage: { prompt_tokens?: number; completion_tokens?: number; reasoning_tokens?: number } | null
    finish_reason: string | null
    done_seen: boolean
    terminal: string
    error: { category: string; code: number | null; message_contains: string } | null
  }
  notes?: { content_length?: number; content_sha256?: string }
}

const folder = new URL('../test/cases/sse/', import.meta.url)
const names = readdirSync(folder).filter((file) => file.endsWith('.txt')).map((file) => file.slice(0, -4))
const chatEndpoint = await endpoint(chat, { streaming: true })

describe.each(names)('stream %s', (name) => {
  const wanted = JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), 'utf8')) as Case
  const body = readFileSync(new URL(`${name}.txt`, folder))
  const everyByte = [...body.keys()].slice(1)
  const given = wanted.http.splits === 'every_byte' ? everyByte : (wanted.http.splits ?? [])
  const ways: [string, number[]][] = body.length > 100_000 ? [['as given', given]] : [['as given', given], ['byte by byte', everyByte]]

  it.each(ways)('decodes as expected, %s', (_, cuts) => {
    const events = decodeBody(chatEndpoint.decoder(), body, { framing: wanted.streamed ? 'sse' : 'body', cuts })
    if (wanted.http.close === 'abrupt') events.pop()
    check(events, wanted)
  })
})

function check(events: Decoded[], { expect: e, streamed, notes }: Case): void {
  const data = events.filter((event) => event.hasData)
  const all = events.flatMap((event) => event.deltas)
  const tokens = data.flatMap((event, i) => (isTokenEvent(event.deltas) ? [i] : []))
  const output = data.findIndex((event) => isTokenEvent(event.deltas.filter((d) => d.kind !== 'reasoning')))
  const last = <K extends Delta['kind']>(kind: K) => all.findLast((d): d is Extract<Delta, { kind: K }> => d.kind === kind)
  expect(tokens).toHaveLength(e.token_events)
  if (streamed) {
    expect(data).toHaveLength(e.data_events)
    expect(tokens[0] ?? null).toBe(e.first_token_event)
    expect(tokens.at(-1) ?? null).toBe(e.last_token_event)
    expect(output < 0 ? null : output).toBe(e.first_output_event)
  }
  const answer = answerOf(all)
  if (e.content !== null) expect(answer.text).toBe(e.content)
  else {
    expect(answer.text).toHaveLength(notes!.content_length!)
    expect(createHash('sha256').update(answer.text).digest('hex')).toBe(notes!.content_sha256)
  }
  expect(answer.reasoning).toBe(e.reasoning)
  expect(answer.calls).toEqual(e.tool_calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })))
  expect(usageIn(last('usage')?.usage)).toEqual(e.usage === null ? null : { prompt_tokens: undefined, completion_tokens: undefined, reasoning_tokens: undefined, ...e.usage })
  expect(last('finish')?.reason ?? null).toBe(e.finish_reason)
  expect(last('done') !== undefined).toBe(e.done_seen)
  const error = last('error')
  expect(error !== undefined).toBe(e.terminal === 'error')
  if (e.error?.category === 'server') {
    expect(error!.message).toContain(e.error.message_contains)
    if (e.error.code !== null) expect(error!.code).toBe(e.error.code)
  }
  expect(all.filter((d) => d.kind === 'malformed')).toEqual([])
}

function usageIn(usage: Usage | undefined): object | null {
  return usage === undefined ? null : { prompt_tokens: usage.prompt, completion_tokens: usage.completion, reasoning_tokens: usage.reasoning }
}
