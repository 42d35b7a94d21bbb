import { SseParser, type Delta, type Endpoint, type Frame, type Framing, type Json } from '@aiperf/core'
import type { Answer } from '../cases.js'

const CONTENT_TYPES: Readonly<Record<Framing, string>> = {
  sse: 'text/event-stream', ndjson: 'application/x-ndjson', body: 'application/json', 'aws-event-stream': 'application/vnd.amazon.eventstream',
}
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What a frame is made of. */
export interface FrameParts {
  framing: Framing
  data: Uint8Array
  event: string
  comment: string
  status: number
  contentType: string
}

/** A frame as the engine makes it: `json` parses once, and only when asked. */
export function frameOf(parts: FrameParts): Frame {
  let parsed: { json: Json | undefined } | undefined
  const text = () => decoder.decode(parts.data)
  return {
    ...parts,
    text,
    json() {
      if (!parsed) {
        try {
          parsed = { json: JSON.parse(text()) as Json }
        } catch {
          parsed = { json: undefined }
        }
      }
      return parsed.json
    },
  }
}

export const bytesOf = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? encoder.encode(body) : body)

/** The frames of a recorded answer. */
export function framesOf({ framing, body, status = 200, contentType = CONTENT_TYPES[framing] }: Pick<Answer, 'framing' | 'body' | 'status' | 'contentType'>): FrameParts[] {
  const bytes = bytesOf(body)
  const frame = (data: Uint8Array, event = '', comment = ''): FrameParts => ({ framing, data, event, comment, status, contentType })
  if (framing === 'ndjson')
    return decoder.decode(bytes).split('\n').filter((line) => line.trim() !== '').map((line) => frame(encoder.encode(line)))
  if (framing !== 'sse') return [frame(bytes)]
  const frames: FrameParts[] = []
  const parser = new SseParser()
  const onEvent = (event: string, data: Uint8Array, comment: string) => void frames.push(frame(data.slice(), event, comment))
  parser.push(bytes, onEvent)
  parser.end(onEvent)
  return frames
}

/** Everything a new decoder makes of frames. The decoder owns what it returns, so each list is copied at once. */
export function decode(endpoint: Endpoint, frames: readonly FrameParts[]): Delta[] {
  const reader = endpoint.decoder()
  const deltas: Delta[] = []
  for (const frame of frames) deltas.push(...(structuredClone(reader.push(frameOf(frame))) as Delta[]))
  deltas.push(...(structuredClone(reader.end()) as Delta[]))
  return deltas
}
