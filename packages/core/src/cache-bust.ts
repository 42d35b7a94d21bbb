import { createHash } from 'node:crypto'
import type { Json, JsonObject, Session, Turn } from './contracts/dataset.js'
import { isJsonObject } from './json.js'

/** Where the marker goes that keeps a server from finding a prompt in its prefix cache. */
export const CACHE_BUST_TARGETS = [
  'none', 'system-prefix', 'system-suffix', 'first-turn-prefix', 'first-turn-suffix', 'warmup-isolation-system', 'warmup-isolation-first-turn',
] as const
export type CacheBustTarget = (typeof CACHE_BUST_TARGETS)[number]

const DIGITS = 'a7c3e91b5d20'
/** Stands in bodies that are encoded before the run, of as many tokens as most markers; `stampCacheBust` puts a session's own marker in its place. */
const PLACEHOLDER = `[rid:${DIGITS}]`
const WARMUP = '[warmup]'
/** The warm-up's marker as it stands in a JSON body. */
const WARMUP_BYTES = Buffer.from(`${WARMUP}\\n\\n`)
const PLACEHOLDER_BYTES = Buffer.from(PLACEHOLDER)
const DIGITS_AT = PLACEHOLDER.indexOf(DIGITS)

/** Marker of a session: the same over its turns, another for every session played. `key` names run, phase and session. */
export const cacheBustMarker = (key: string): string => `[rid:${createHash('sha256').update(key).digest('hex').slice(0, DIGITS.length)}]`

const SAMPLES = 8

/** Tokens that a marker adds to the message that carries it, by the average of some markers. */
export function markerTokens(target: CacheBustTarget, count: (text: string) => number): number {
  if (target === 'none' || target.startsWith('warmup')) return 0
  const bare = count('A')
  let sum = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    const marker = cacheBustMarker(`sample ${sample}`)
    sum += count(target.endsWith('suffix') ? `A\n\n${marker}` : `${marker}\n\nA`) - bare
  }
  return Math.round(sum / SAMPLES)
}

/**
 * A session whose system message, or first user message (also where there is no system message), carries the marker's
 * placeholder. Bodies that are sent as they are cannot have one. What is marked already stays as it is.
 */
export function withCacheBust(session: Session, target: CacheBustTarget): Session {
  if (target === 'none' || session.turns.every((turn) => turn.rawPayload !== undefined)) return session
  const marker = target.startsWith('warmup') ? WARMUP : PLACEHOLDER
  const suffix = target.endsWith('suffix')
  const mark = (text: string): string => (text.includes(marker) ? text : suffix ? `${text}\n\n${marker}` : `${marker}\n\n${text}`)
  if (target.includes('system') && session.system !== undefined) return { ...session, system: mark(session.system) }
  if (session.userContext !== undefined) return { ...session, userContext: mark(session.userContext) }
  // Turns that carry the whole history each have a first user message of their own.
  const each = session.contextMode === 'message_array_with_responses'
  const wanted = target.includes('system') ? 'system' : 'user'
  return { ...session, turns: session.turns.map((turn, at) => (at === 0 || each ? markedTurn(turn, mark, wanted) : turn)) }
}

function markedTurn(turn: Turn, mark: (text: string) => string, wanted: 'system' | 'user'): Turn {
  if (turn.rawMessages) return { ...turn, rawMessages: markedMessages(turn.rawMessages, mark, wanted) }
  const [first, ...rest] = turn.texts ?? []
  if (!first) return { ...turn, texts: [{ contents: [mark('').trim()] }] }
  return { ...turn, texts: [{ ...first, contents: first.contents.map((text, at) => (at === 0 ? mark(text) : text)) }, ...rest] }
}

function markedMessages(messages: readonly Json[], mark: (text: string) => string, wanted: 'system' | 'user'): Json[] {
  const roleOf = (message: Json | undefined) => (isJsonObject(message) ? message['role'] : undefined)
  const found = messages.findIndex((message) => roleOf(message) === wanted)
  const at = found >= 0 ? found : messages.findIndex((message) => roleOf(message) === 'user')
  return messages.map((message, index) => (index === at ? markedMessage(message as JsonObject, mark) : message))
}

function markedMessage(message: JsonObject, mark: (text: string) => string): JsonObject {
  const { content } = message
  if (typeof content === 'string') return { ...message, content: mark(content) }
  if (!Array.isArray(content)) return message
  // A list of parts gets a part of text, at the end where the marker goes.
  const part = { type: 'text', text: mark('').trim() }
  if (content.some((item) => JSON.stringify(item).includes(part.text))) return message
  return { ...message, content: mark('\u0000').startsWith('\u0000') ? [...content, part] : [part, ...content] }
}

/**
 * The body of a request with the marker of its session in place of the placeholder; without the warm-up's marker outside
 * the warm-up. The body that was encoded before the run is not touched.
 */
export function stampCacheBust(body: Uint8Array, marker: string, isWarmup: boolean): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let at = bytes.indexOf(PLACEHOLDER_BYTES)
  if (at >= 0) {
    const own = Buffer.from(bytes)
    for (; at >= 0; at = own.indexOf(PLACEHOLDER_BYTES, at)) own.write(marker.slice(DIGITS_AT, DIGITS_AT + DIGITS.length), at + DIGITS_AT, 'latin1')
    return own
  }
  at = isWarmup ? -1 : bytes.indexOf(WARMUP_BYTES)
  return at < 0 ? body : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + WARMUP_BYTES.length)])
}
