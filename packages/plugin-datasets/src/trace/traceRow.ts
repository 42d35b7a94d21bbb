import type { Json, JsonObject } from '@aiperf/core'

/** Hash id of a KV block; text when it is beyond 2⁵³. */
export type HashId = number | string

/** What a request of a trace says. */
export type TraceContent =
  | { kind: 'tokens'; inputTokens: number; hashIds: readonly HashId[] }
  | { kind: 'text'; text: string }
  | { kind: 'messages'; messages: Json[]; tools?: Json[] }
  | { kind: 'payload'; payload: JsonObject }

/** One request of a trace, whatever the format it was written in. */
export interface TraceRow {
  file: string
  line: number
  sessionId?: string
  timestampMs?: number
  delayMs?: number
  outputTokens?: number
  extra?: JsonObject
  content: TraceContent
}

/** Whether conversations may mix these kinds: messages and payloads carry their whole history, the others only news. */
export const historyKind = (content: TraceContent): 'messages' | 'payload' | 'generated' =>
  content.kind === 'messages' || content.kind === 'payload' ? content.kind : 'generated'
