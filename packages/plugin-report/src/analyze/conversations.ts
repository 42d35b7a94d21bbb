import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { JsonObject } from '@aiperf/core'
import type { MessagesPageData, PageMessage } from '../report/page-data.js'
import { messagesOf, replyOf } from './spoken.js'

export interface MessageLimits {
  conversations: number
  turns: number
  /** Characters of a message that are kept. */
  content: number
}

interface RawLine {
  metadata?: { x_correlation_id?: string; conversation_id?: string; turn_index?: number; request_start_ns?: number; request_end_ns?: number; agent_depth?: number; benchmark_phase?: string }
  payload?: JsonObject
  responses?: Parameters<typeof replyOf>[0]
  error?: { type?: string; message?: string } | null
  status?: number
}

interface Turn {
  turn: number
  start: number
  end: number
  sent: number[]
  reply: number | undefined
  error: string | undefined
  status: number | undefined
}

/** Reads what was said from per-request raw files; each message is held once. */
export async function readConversations(files: readonly string[], limits: MessageLimits): Promise<{ data: MessagesPageData; all: number }> {
  const messages: PageMessage[] = []
  const numbers = new Map<string, number>()
  const keep = (role: string, text: string): number => {
    const key = `${role}\n${text}`
    let number = numbers.get(key)
    if (number === undefined) {
      numbers.set(key, (number = messages.length))
      messages.push(text.length > limits.content ? { role, text: text.slice(0, limits.content), length: text.length } : { role, text })
    }
    return number
  }
  const sessions = new Map<string, { name: string; depth: number; turns: Turn[] }>()
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const read = parse(line)
      const { metadata, payload } = read ?? {}
      if (!read || !metadata || !payload || (metadata.benchmark_phase ?? 'profiling') !== 'profiling') continue
      const key = metadata.x_correlation_id ?? metadata.conversation_id ?? ''
      const session = sessions.get(key) ?? { name: metadata.conversation_id ?? key, depth: metadata.agent_depth ?? 0, turns: [] }
      sessions.set(key, session)
      const reply = replyOf(read.responses ?? [])
      session.turns.push({
        turn: metadata.turn_index ?? 0,
        start: (metadata.request_start_ns ?? 0) / 1e9, end: (metadata.request_end_ns ?? metadata.request_start_ns ?? 0) / 1e9,
        sent: messagesOf(payload).map((m) => keep(m.role, m.text)),
        reply: reply === '' ? undefined : keep('assistant', reply),
        error: read.error ? [read.error.type, read.error.message].filter(Boolean).join(': ') : undefined,
        status: read.status,
      })
    }
  for (const { turns } of sessions.values()) turns.sort((a, b) => a.turn - b.turn || a.start - b.start)
  // Roots first, then by their first start.
  const ordered = [...sessions.values()].sort((a, b) => a.depth - b.depth || a.turns[0]!.start - b.turns[0]!.start)
  const origin = Math.min(...ordered.map(({ turns }) => turns[0]!.start))
  const plays = new Map<string, number>()
  const conversations = ordered.map(({ name, depth, turns }) => {
    const play = (plays.get(name) ?? 0) + 1
    plays.set(name, play)
    return {
      name: play === 1 ? name : `${name} (${play})`, depth, more: Math.max(0, turns.length - limits.turns),
      turns: turns.slice(0, limits.turns).map(({ turn, start, end, sent, reply, error, status }) => ({
        turn, start: round(start - origin), seconds: round(end - start), sent, ...(reply === undefined ? {} : { reply }), ...(error === undefined ? {} : { error }), ...(status === undefined ? {} : { status }),
      })),
    }
  })
  const shown = conversations.slice(0, limits.conversations)
  return { data: withUsed({ kind: 'messages', messages, conversations: shown }), all: conversations.length }
}

const round = (seconds: number): number => Math.round(seconds * 1e4) / 1e4

/** Only the messages that are shown. */
function withUsed({ kind, messages, conversations }: MessagesPageData): MessagesPageData {
  const numbers = new Map<number, number>()
  const kept: PageMessage[] = []
  const moved = (old: number): number => {
    let number = numbers.get(old)
    if (number === undefined) {
      numbers.set(old, (number = kept.length))
      kept.push(messages[old]!)
    }
    return number
  }
  const shown = conversations.map((c) => ({ ...c, turns: c.turns.map((t) => ({ ...t, sent: t.sent.map(moved), ...(t.reply === undefined ? {} : { reply: moved(t.reply) }) })) }))
  return { kind, messages: kept, conversations: shown }
}

function parse(line: string): RawLine | undefined {
  try {
    return JSON.parse(line) as RawLine
  } catch {
    return undefined
  }
}
