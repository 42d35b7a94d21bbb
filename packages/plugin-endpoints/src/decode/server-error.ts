import type { Delta, Frame, Json, JsonObject } from '@aiperf/core'
import { objectOf, stringOf } from './json.js'

type ErrorDelta = Extract<Delta, { kind: 'error' }>

/**
 * The failure that a frame tells of under a status that says all is well: an `error` member, an `object: "error"` or
 * `type: "error"` body, an event named `error`, whose text may stand in the data or in a comment, or what gateways and
 * frameworks send in place of an answer. Undefined when there is none.
 */
export function serverError(frame: Frame, body: Json | undefined): ErrorDelta | undefined {
  const named = frame.event !== '' && frame.event.trim().toLowerCase() === 'error'
  // Some gateways put the object into an array.
  const root = objectOf(Array.isArray(body) ? body[0] : body)
  if (root === undefined) return named ? fromText(frame) : undefined
  const inner = errorOf(root)
  if (inner !== undefined) return inner
  return named || root['object'] === 'error' || root['type'] === 'error' || isFailure(root) ? fromError(root, root) : undefined
}

/** The failure that the `error` member of a body, or of a choice in it, tells of; one that says nothing is none. */
export function errorOf(root: JsonObject): ErrorDelta | undefined {
  const error = root['error']
  return saysNothing(error) ? undefined : fromError(error!, root)
}

function saysNothing(error: Json | undefined): boolean {
  return !error || (typeof error === 'object' && !Object.values(error).some(Boolean))
}

/** Whether a body without an answer is one of the forms in which failures are told without the word. */
function isFailure(root: JsonObject): boolean {
  if (root['choices'] !== undefined) return false
  // MiniMax; 0 is success.
  if (Number(objectOf(root['base_resp'])?.['status_code'] ?? 0) !== 0) return true
  if (root['success'] === false) return true
  const members = Object.entries(root)
  // FastAPI.
  if (members.length === 1) return members[0]![0] === 'detail'
  if (messageIn(root) === '') return false
  if ((codeIn(root) ?? 0) >= 400) return true
  // A name of a failure and its message, and nothing that could be an answer.
  return codeName(root['code']) !== '' && !/^(ok|success)$/i.test(codeName(root['code'])) && !members.some(([, value]) => typeof value === 'object' && value !== null)
}

function fromText(frame: Frame): ErrorDelta {
  return { kind: 'error', message: frame.text().trim() || frame.comment || 'the server reported an error without saying which' }
}

function fromError(error: Json, root: JsonObject): ErrorDelta {
  const inner = objectOf(Array.isArray(error) ? error[0] : error)
  // Beside a bare name (`"Internal Server Error"`, `true`) the message stands in the body.
  const told = inner === undefined ? [stringOf(error), messageIn(root)] : [messageIn(inner) || messageIn(root)]
  const delta: ErrorDelta = { kind: 'error', message: told.filter((text) => text !== '').join(': ') || JSON.stringify(error) }
  const types = [stringOf(inner?.['type']), stringOf(inner?.['error_type']), stringOf(root['error_type']), codeName(inner?.['code'])]
  const type = types.find((text) => text !== '' && text !== 'error')
  if (type !== undefined) delta.type = type
  const code = (inner && codeIn(inner)) ?? codeIn(root)
  if (code !== undefined) delta.code = code
  return delta
}

const MESSAGES = ['message', 'detail', 'error_message', 'error_msg', 'reason']

function messageIn(from: JsonObject): string {
  return MESSAGES.map((key) => stringOf(from[key])).find((text) => text !== '') ?? ''
}

/** Codes are HTTP-like numbers with some servers and names with others. */
function codeIn(from: JsonObject): number | undefined {
  return ['code', 'status_code', 'http_status_code', 'error_code', 'status'].map((key) => Number(from[key] ?? Number.NaN)).find((code) => Number.isInteger(code) && code > 0)
}

function codeName(code: Json | undefined): string {
  return typeof code === 'string' && !/^\d*$/.test(code) ? code : ''
}
