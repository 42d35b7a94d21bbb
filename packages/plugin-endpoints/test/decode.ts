import type { Delta, Endpoint, Json } from '@aiperf/core'
import { frameOf } from './frames.js'

/** Deltas of a stream of SSE events: data as JSON or text, or event name and data. */
export function stream(endpoint: Endpoint, ...events: (Json | string | { event: string; data: Json })[]): Delta[] {
  const decoder = endpoint.decoder()
  const deltas = events.flatMap((item) => {
    const named = typeof item === 'object' && item !== null && 'event' in item && 'data' in item ? (item as { event: string; data: Json }) : { event: '', data: item as Json }
    const data = typeof named.data === 'string' ? named.data : JSON.stringify(named.data)
    return structuredClone(decoder.push(frameOf(data, { event: named.event }))) as Delta[]
  })
  return [...deltas, ...(structuredClone(decoder.end()) as Delta[])]
}

/** Deltas of one body. */
export function whole(endpoint: Endpoint, body: Json | string): Delta[] {
  const decoder = endpoint.decoder()
  const data = typeof body === 'string' ? body : JSON.stringify(body)
  const deltas = structuredClone(decoder.push(frameOf(data, { framing: 'body', contentType: 'application/json' }))) as Delta[]
  return [...deltas, ...(structuredClone(decoder.end()) as Delta[])]
}

export function textIn(deltas: readonly Delta[], kind: 'text' | 'reasoning' = 'text'): string {
  return deltas.map((d) => (d.kind === kind ? (d as { text: string }).text : '')).join('')
}

/** Deltas without those that only a reply needs. */
export function content(deltas: readonly Delta[]): Delta[] {
  return deltas.filter((d) => d.kind !== 'reply')
}
