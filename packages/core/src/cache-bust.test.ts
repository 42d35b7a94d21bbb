import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CACHE_BUST_TARGETS, cacheBustMarker, stampCacheBust, withCacheBust, type CacheBustTarget } from './cache-bust.js'
import type { Session } from './contracts/dataset.js'
import { withSystemPrompt } from './system-prompt.js'

const talk: Session = { id: 's', system: 'Be brief.', turns: [{ texts: [{ contents: ['one'] }] }, { texts: [{ contents: ['two'] }] }] }
const MARK = '[rid:a7c3e91b5d20]'

describe('cache busting', () => {
  it.each([
    ['none', 'Be brief.', 'one'],
    ['system-prefix', `${MARK}\n\nBe brief.`, 'one'],
    ['system-suffix', `Be brief.\n\n${MARK}`, 'one'],
    ['first-turn-prefix', 'Be brief.', `${MARK}\n\none`],
    ['first-turn-suffix', 'Be brief.', `one\n\n${MARK}`],
    ['warmup-isolation-system', '[warmup]\n\nBe brief.', 'one'],
    ['warmup-isolation-first-turn', 'Be brief.', '[warmup]\n\none'],
  ] as [CacheBustTarget, string, string][])('%s marks its place', (target, system, first) => {
    const marked = withCacheBust(talk, target)
    expect([marked.system, marked.turns[0]!.texts![0]!.contents[0], marked.turns[1]!.texts![0]!.contents[0]]).toEqual([system, first, 'two'])
  })

  it('marks the first user message where there is no system message, and nothing twice', () => {
    const { system: _, ...plain } = talk
    const once = withCacheBust(plain, 'system-prefix')
    expect(once.turns[0]!.texts![0]!.contents[0]).toBe(`${MARK}\n\none`)
    expect(withCacheBust(once, 'system-prefix')).toEqual(once)
  })

  it('marks messages in wire form, and lists of parts by a part of their own', () => {
    const messages = [{ role: 'system', content: 'S' }, { role: 'user', content: [{ type: 'text', text: 'U' }] }]
    const raw: Session = { id: 's', turns: [{ rawMessages: messages }], contextMode: 'message_array_with_responses' }
    expect(withCacheBust(raw, 'system-suffix').turns[0]!.rawMessages![0]).toEqual({ role: 'system', content: `S\n\n${MARK}` })
    const marked = withCacheBust(raw, 'first-turn-prefix')
    expect(marked.turns[0]!.rawMessages![1]).toEqual({ role: 'user', content: [{ type: 'text', text: MARK }, { type: 'text', text: 'U' }] })
    expect(withCacheBust(marked, 'first-turn-prefix')).toEqual(marked)
  })

  it('leaves bodies alone that are sent as they are', () => {
    const verbatim: Session = { id: 's', turns: [{ rawPayload: { prompt: 'x' } }] }
    for (const target of CACHE_BUST_TARGETS) expect(withCacheBust(verbatim, target)).toEqual(verbatim)
  })

  it('puts the session’s own marker into the body, of the same length', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, key) => {
      const session = withCacheBust({ id: 's', turns: [{ texts: [{ contents: [text] }] }] }, 'first-turn-prefix')
      const body = Buffer.from(JSON.stringify(session))
      const kept = Buffer.from(body)
      const marker = cacheBustMarker(key)
      const stamped = Buffer.from(stampCacheBust(body, marker, false)).toString()
      expect(stamped).toBe(body.toString().replaceAll(MARK, marker))
      expect(body).toEqual(kept)
      expect(marker).toMatch(/^\[rid:[0-9a-f]{12}\]$/)
    }))
    expect(cacheBustMarker('a')).not.toBe(cacheBustMarker('b'))
  })

  it('takes the warm-up’s marker out of what is measured', () => {
    const body = Buffer.from(JSON.stringify(withCacheBust(talk, 'warmup-isolation-system')))
    expect(JSON.parse(Buffer.from(stampCacheBust(body, cacheBustMarker('x'), false)).toString())).toEqual(talk)
    expect(stampCacheBust(body, cacheBustMarker('x'), true)).toBe(body)
  })
})

describe('system prompt', () => {
  it('stands before the session’s own', () => {
    expect(withSystemPrompt(talk, 'You are X.').system).toBe('You are X.\n\nBe brief.')
    expect(withSystemPrompt({ id: 's', turns: talk.turns }, 'You are X.').system).toBe('You are X.')
  })

  it('is the first of messages in wire form, once per array', () => {
    const user = { role: 'user', content: 'U' }
    const whole: Session = { id: 's', contextMode: 'message_array_with_responses', turns: [{ rawMessages: [user] }, { rawMessages: [{ role: 'system', content: 'S' }, user] }] }
    expect(withSystemPrompt(whole, 'X').turns.map((turn) => turn.rawMessages![0])).toEqual([{ role: 'system', content: 'X' }, { role: 'system', content: 'X\n\nS' }])
    const deltas: Session = { id: 's', turns: [{ rawMessages: [user] }, { rawMessages: [user] }] }
    expect(withSystemPrompt(deltas, 'X').turns.map((turn) => turn.rawMessages!.length)).toEqual([2, 1])
  })

  it('is not put into bodies that are sent as they are', () => {
    const verbatim: Session = { id: 's', turns: [{ rawPayload: {} }] }
    expect(withSystemPrompt(verbatim, 'X')).toEqual(verbatim)
  })
})
