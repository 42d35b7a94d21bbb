import type { Json } from '@aiperf/core'
import { bytesOf, type FrameParts } from './frames.js'

/** Data that no server should send, and that some do. */
const RUBBISH: readonly (string | Uint8Array)[] = [
  '', ' ', 'null', 'true', '0', '-1e999', '""', '[]', '{}', '[[[]]]', '{', '}', '[1,', '"', '{"error":', 'undefined', 'NaN', 'data: x', '<html><body>502 Bad Gateway</body></html>', 'Internal Server Error',
  '{"choices":null}', '{"choices":[]}', '{"choices":[null]}', '{"choices":[{}]}', '{"choices":[{"delta":null}]}', '{"choices":[{"index":-1,"delta":{"content":5}}]}', '{"choices":{"0":{}}}',
  '{"error":{"message":"overloaded","code":503}}', '{"error":"overloaded"}', '{"error":null}', '{"message":{}}', '{"data":[{}]}', '{"usage":{"prompt_tokens":"5"}}', '{"usage":null}',
  '{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', `${'['.repeat(500)}${']'.repeat(500)}`, `{"text":"${'x'.repeat(100_000)}"}`, '{"text":"\\ud800"}',
  new Uint8Array([0xff, 0xfe, 0x00, 0x80]), new Uint8Array([0xe2, 0x82]), '[DONE]', '[DONE] ', '\u0000',
]

/** Frames of rubbish, of the kinds that the endpoint's answers come in. */
export function rubbishFrames(like: readonly FrameParts[]): FrameParts[] {
  const kinds: FrameParts[] = [
    ...new Map(like.map((frame) => [`${frame.framing} ${frame.event}`, frame])).values(),
    { framing: 'sse', event: '', comment: '', status: 200, contentType: 'text/event-stream', data: new Uint8Array(0) },
    { framing: 'sse', event: 'error', comment: 'overloaded', status: 200, contentType: 'text/event-stream', data: new Uint8Array(0) },
    { framing: 'ndjson', event: '', comment: '', status: 200, contentType: 'application/x-ndjson', data: new Uint8Array(0) },
    { framing: 'body', event: '', comment: '', status: 200, contentType: 'application/json', data: new Uint8Array(0) },
    { framing: 'body', event: '', comment: '', status: 200, contentType: 'text/html', data: new Uint8Array(0) },
  ]
  return kinds.flatMap((kind) => RUBBISH.map((data) => ({ ...kind, data: bytesOf(data) })))
}

const REPLACEMENTS: readonly Json[] = [null, 0, -1, 1e308, '', 'x', true, [], {}, [null], [{}]]

/** Damaged copies of a good stream: each frame cut short, and each value of its JSON replaced by one of another type. */
export function* damaged(frames: readonly FrameParts[]): Generator<FrameParts[]> {
  const seen = new Set<string>()
  for (let at = 0; at < frames.length; at++) {
    const frame = frames[at]!
    const text = new TextDecoder().decode(frame.data)
    const replaced = (data: Uint8Array) => frames.map((f, i) => (i === at ? { ...f, data } : f))
    for (const share of [0.25, 0.5, 0.9]) yield replaced(frame.data.subarray(0, Math.floor(frame.data.length * share)))
    let json: Json
    try {
      json = JSON.parse(text) as Json
    } catch {
      continue
    }
    const shape = JSON.stringify(json, (_, value: Json) => (typeof value === 'string' ? '' : value))
    if (seen.has(shape) || text.length > 20_000) continue
    seen.add(shape)
    for (const changed of changedValues(json)) yield replaced(bytesOf(JSON.stringify(changed)))
  }
}

/** Copies of a JSON value, each with one part replaced or left out. */
function* changedValues(value: Json): Generator<Json> {
  if (typeof value === 'object' && value !== null)
    for (const key of Object.keys(value).slice(0, 12)) {
      const copy = structuredClone(value) as { [key: string]: Json }
      for (const replacement of REPLACEMENTS) {
        copy[key] = replacement
        yield structuredClone(copy) as Json
      }
      if (!Array.isArray(copy)) {
        delete copy[key]
        yield copy
      }
      for (const inner of changedValues((value as { [key: string]: Json })[key]!)) yield { ...structuredClone(value as object), [key]: inner } as Json
    }
}
