import fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { requestTable } from '../runs/request-columns.js'
import { readConversations } from './conversations.js'
import { assignLanes } from './lanes.js'
import { messagesOf, replyOf } from './spoken.js'

const table = (turns: { session: number; start: number; end: number; error?: string }[]) =>
  requestTable({
    startNs: Float64Array.from(turns, (t) => t.start * 1e9), endNs: Float64Array.from(turns, (t) => t.end * 1e9), succeeded: Float64Array.from(turns, (t) => (t.error ? 0 : 1)),
    error: Float64Array.from(turns, (t) => (t.error ? 1 : 0)), errors: ['', 'cancelled'], session: Float64Array.from(turns, (t) => t.session), turn: new Float64Array(turns.length), values: new Map(),
  }, 0)

describe('swim lanes', () => {
  test('a session takes the first lane that is free when it starts', () => {
    const lanes = assignLanes(table([{ session: 1, start: 0, end: 2 }, { session: 2, start: 1, end: 3 }, { session: 3, start: 2, end: 4 }]))
    expect(lanes.sessions.map((s) => s.lane)).toEqual([0, 1, 0])
    expect(lanes.rows).toBe(2)
  })

  test('turns that overlap take further rows of their lane, and cancelled requests none', () => {
    const lanes = assignLanes(table([{ session: 1, start: 0, end: 5 }, { session: 1, start: 1, end: 2 }, { session: 2, start: 3, end: 4 }, { session: 3, start: 3, end: 9, error: 'cancelled' }]))
    expect(lanes.lanes).toEqual([{ row: 0, rows: 2 }, { row: 2, rows: 1 }])
    expect(lanes.bars.map((b) => [b.request, b.row])).toEqual([[0, 0], [1, 1], [2, 2]])
    expect(lanes.dropped).toBe(1)
  })

  test('no two bars of a row overlap, no lane is spent in vain, and everybody who lives is counted', () => {
    const stay = fc.record({ session: fc.integer({ min: 0, max: 9 }), start: fc.integer({ min: 0, max: 50 }), length: fc.integer({ min: 1, max: 20 }) })
    fc.assert(fc.property(fc.array(stay, { minLength: 1, maxLength: 40 }), (stays) => {
      const lanes = assignLanes(table(stays.map(({ session, start, length }) => ({ session, start, end: start + length }))))
      for (let row = 0; row < lanes.rows; row++) {
        const bars = lanes.bars.filter((b) => b.row === row).sort((a, b) => a.start - b.start)
        for (let i = 1; i < bars.length; i++) expect(bars[i - 1]!.end).toBeLessThanOrEqual(bars[i]!.start)
      }
      expect(lanes.lanes.length).toBe(Math.max(...lanes.alive.values))
      expect(lanes.bars.length).toBe(stays.length)
    }))
  })
})

describe('what was said', () => {
  test('messages of bodies of different endpoints', () => {
    expect(messagesOf({ messages: [{ role: 'system', content: 'be brief' }, { role: 'user', content: [{ type: 'text', text: 'look' }, { type: 'image_url', image_url: { url: 'data:' } }] }] })).toEqual([{ role: 'system', text: 'be brief' }, { role: 'user', text: 'look\n[image_url]' }])
    expect(messagesOf({ prompt: 'once' })).toEqual([{ role: 'user', text: 'once' }])
    expect(messagesOf({ instructions: 'i', input: [{ role: 'user', content: 'q' }] })).toEqual([{ role: 'system', text: 'i' }, { role: 'user', text: 'q' }])
    expect(messagesOf({ odd: 1 })[0]!.text).toContain('"odd"')
  })

  test('answers of streams and of bodies', () => {
    const data = (value: unknown) => ({ packets: [{ name: 'data', value: JSON.stringify(value) }] })
    expect(replyOf([data({ choices: [{ delta: { reasoning_content: 'hm ' } }] }), data({ choices: [{ delta: { content: 'a' } }] }), data({ choices: [{ delta: { content: 'b' } }] }), { packets: [{ name: 'data', value: '[DONE]' }] }])).toBe('(reasoning) hm \nab')
    expect(replyOf([{ text: JSON.stringify({ choices: [{ message: { content: 'whole' } }] }) }])).toBe('whole')
    expect(replyOf([data({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'claim' } })])).toBe('claim')
    expect(replyOf([data({ type: 'response.output_text.delta', delta: 'out' })])).toBe('out')
    expect(replyOf([{ text: 'not json' }])).toBe('not json')
  })

  test('each message once, cut where it is long, without warm-up', async () => {
    const file = join(import.meta.dirname, '../../test/reference/warmed/profile_export_raw.jsonl')
    const { data, all } = await readConversations([file], { conversations: 10, turns: 10, content: 8000 })
    expect(all).toBeGreaterThan(0)
    expect(new Set(data.messages.map((m) => `${m.role} ${m.text}`)).size).toBe(data.messages.length)
    const cut = (await readConversations([file], { conversations: 10, turns: 10, content: 8 })).data
    expect(cut.messages.map((m) => m.text)).toEqual(data.messages.map((m) => m.text.slice(0, 8)))
    expect(cut.messages.map((m) => m.length ?? m.text.length)).toEqual(data.messages.map((m) => m.text.length))
    expect(data.conversations[0]!.turns[0]!.start).toBe(0)
  })
})
