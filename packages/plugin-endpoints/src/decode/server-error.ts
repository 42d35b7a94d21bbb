import type { Delta, Frame, Json, JsonObject } from '@aiperf/core'
import { objectOf, stringOf } from './json.js'

type ErrorDelta = Extract<Delta, { kind: 'error' }>

/**
 * The failure that a frame tells of under a status that says all is well: an `error` member, an `object: "error"` or
 * `type: "error"` body, or an event named `error`, whose text may stand in the data or in a comment. Undefined when
 * there is none.
 */
export function serverError(frame: Frame, body: Json | undefined): ErrorDelta | undefined {
  // Some gateways put the object into an array.
  const root = objectOf(Array.isArray(body) ? body[0] : body)
  const error = root?.['error']
  if (error && !(typeof error === 'object' && Object.keys(error).length === 0)) return fromError(error, root!)
  if (root !== undefined && (root['object'] === 'error' || root['type'] === 'error')) return fromError(root, root)
  if (frame.event !== '' && frame.event.toLowerCase() === 'error') return root === undefined ? fromText(frame) : fromError(root, root)
  return undefined
}

function fromText(frame: Frame): ErrorDelta {
  return { kind: 'error', message: frame.text().trim() || frame.comment || 'the server reported an error without saying which' }
}

function fromError(error: Json, root: JsonObject): ErrorDelta {
  const inner = objectOf(error)
  const message = inner === undefined ? stringOf(error) : MESSAGES.map((key) => stringOf(inner[key])).find((text) => text !== '')
  const delta: ErrorDelta = { kind: 'error', message: message || JSON.stringify(error) }
  const types = [stringOf(inner?.['type']), stringOf(inner?.['error_type']), stringOf(root['error_type']), codeName(inner?.['code'])]
  const type = types.find((text) => text !== '' && text !== 'error')
  if (type !== undefined) delta.type = type
  return withCode(delta, inner ?? root)
}

const MESSAGES = ['message', 'detail', 'error_message', 'reason']

/** Codes are HTTP-like numbers with some servers and names with others. */
function withCode(delta: ErrorDelta, from: JsonObject): ErrorDelta {
  for (const key of ['code', 'status_code', 'http_status_code', 'status']) {
    const code = Number(from[key] ?? Number.NaN)
    if (Number.isInteger(code) && code > 0) return { ...delta, code }
  }
  return delta
}

function codeName(code: Json | undefined): string {
  return typeof code === 'string' && !/^\d+$/.test(code) ? code : ''
}
