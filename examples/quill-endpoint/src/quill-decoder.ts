import type { Decoder, Delta, Frame, Json, JsonObject } from '@aiperf/core'

const NOTHING: readonly Delta[] = []

/**
 * Reads Quill's answers. A stream is lines of JSON:
 *
 *     {"is":"thought","text":"…"}  {"is":"piece","text":"…"}  {"is":"end","why":"done","counts":{"in":9,"out":4,"thought":2}}
 *
 * A whole answer is one object with `thought`, `text`, `why` and `counts`; a failure is `{"is":"failure","message":"…"}`,
 * in a stream or alone. What is none of these is malformed; the decoder never throws.
 */
export class QuillDecoder implements Decoder {
  push(frame: Frame): readonly Delta[] {
    if (frame.data.length === 0) return NOTHING
    const json = frame.json()
    if (!isObject(json)) return [{ kind: 'malformed', reason: `expected a JSON object, got ${frame.text().slice(0, 80)}` }]
    return frame.framing === 'body' ? whole(json) : line(json)
  }

  end(): readonly Delta[] {
    return NOTHING
  }
}

function line(json: JsonObject): Delta[] {
  switch (json['is']) {
    case 'piece':
      return text('text', json['text'])
    case 'thought':
      return text('reasoning', json['text'])
    case 'end':
      return [...closing(json), { kind: 'done' }]
    case 'failure':
      return [failure(json)]
    case 'tick': // Keeps the connection open; says nothing.
      return []
    default:
      return [{ kind: 'malformed', reason: `a line that is ${JSON.stringify(json['is'])}` }]
  }
}

function whole(json: JsonObject): Delta[] {
  if (json['is'] === 'failure' || typeof json['text'] !== 'string') return [failure(json)]
  return [...text('reasoning', json['thought']), ...text('text', json['text']), ...closing(json)]
}

const text = (kind: 'text' | 'reasoning', value: Json | undefined): Delta[] => (typeof value === 'string' && value !== '' ? [{ kind, text: value }] : [])

function closing({ why, counts }: JsonObject): Delta[] {
  const deltas: Delta[] = []
  if (typeof why === 'string') deltas.push({ kind: 'finish', reason: why })
  if (isObject(counts)) {
    const [prompt, completion, reasoning] = [counts['in'], counts['out'], counts['thought']].map((count) => (typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : undefined))
    // What was not reported is left out, never 0.
    deltas.push({ kind: 'usage', usage: { ...(prompt === undefined ? {} : { prompt }), ...(completion === undefined ? {} : { completion }), ...(reasoning === undefined ? {} : { reasoning }) } })
  }
  return deltas
}

const failure = ({ message }: JsonObject): Delta => ({ kind: 'error', message: typeof message === 'string' ? message : 'an answer without text' })
const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
