import { SseParser, type Decoder, type Delta, type Frame, type Framing, type Json } from '@aiperf/core'

/** A frame as the engine makes it. */
export function frameOf(data: Uint8Array | string, extra: Partial<Pick<Frame, 'event' | 'comment' | 'framing' | 'status' | 'contentType'>> = {}): Frame {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  let parsed: { json: Json | undefined } | undefined
  const text = (): string => Buffer.from(bytes).toString('utf8')
  return {
    framing: 'sse', event: '', comment: '', status: 200, contentType: 'text/event-stream', ...extra,
    data: bytes,
    text,
    json() {
      if (parsed === undefined) {
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

/** One SSE event, or body, with what it meant. */
export interface Decoded {
  hasData: boolean
  deltas: Delta[]
}

/** Decodes a response body, cut into packets, as the engine would. The last item holds what the end of the body brought. */
export function decodeBody(decoder: Decoder, body: Uint8Array, options: { framing?: Framing; cuts?: number[]; status?: number } = {}): Decoded[] {
  const { framing = 'sse', cuts = [], status = 200 } = options
  const out: Decoded[] = []
  const push = (frame: Frame): void => {
    out.push({ hasData: frame.data.length > 0, deltas: structuredClone(decoder.push(frame)) as Delta[] })
  }
  if (framing === 'sse') {
    const parser = new SseParser()
    const onEvent = (event: string, data: Uint8Array, comment: string): void => push(frameOf(data, { event, comment, status }))
    let at = 0
    for (const cut of [...cuts, body.length]) parser.push(body.subarray(at, (at = cut)), onEvent)
    parser.end(onEvent)
  } else push(frameOf(body, { framing, status, contentType: 'application/json' }))
  out.push({ hasData: false, deltas: structuredClone(decoder.end()) as Delta[] })
  return out
}

/** Whether deltas hold generated text: the one rule of a token event. */
export function isTokenEvent(deltas: readonly Delta[]): boolean {
  return deltas.some((d) => ((d.kind === 'text' || d.kind === 'reasoning') && d.text !== '') || (d.kind === 'tool' && (d.name ?? '') + (d.arguments ?? '') !== ''))
}
