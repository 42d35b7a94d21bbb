import type { Json, WireRequest } from '@aiperf/core'
import { createHash } from 'node:crypto'
import { objectOf } from '../decode/json.js'
import { encodeError } from './turn.js'

/** A part of a form: a value, or a file. */
export type FormPart = { name: string; value: Json } | { name: string; file: Uint8Array; fileName: string; contentType: string }

/** A file given as JSON: `{"b64_data": …, "filename": …, "content_type": …}`. */
function fileOf(name: string, value: Json): FormPart {
  const object = objectOf(value)
  if (object === undefined || !('b64_data' in object)) return { name, value }
  const { b64_data: data, filename, content_type: type } = object
  return {
    name,
    file: base64(data, `the file of form field "${name}"`),
    fileName: typeof filename === 'string' ? filename : name,
    contentType: typeof type === 'string' ? type : 'application/octet-stream',
  }
}

/** Decodes base64; anything else is an error, where Node would skip what it does not know. */
export function base64(data: Json | undefined, what: string): Uint8Array {
  if (typeof data !== 'string' || data === '' || !/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data)) throw encodeError(`${what} is no base64, got ${JSON.stringify(data)?.slice(0, 40)}`)
  return Buffer.from(data, 'base64')
}

/** A boundary that is the same in all threads of a run, and none that a text would hold. */
export function boundaryFor(settings: unknown): string {
  return `aiperf-${createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 32)}`
}

/** The request that carries a form (RFC 7578). Null values are left out; nested ones are sent as JSON. */
export function formRequest(parts: readonly FormPart[], boundary: string, streaming: boolean): WireRequest {
  const pieces: Uint8Array[] = []
  for (const given of parts) {
    const part = 'file' in given ? given : fileOf(given.name, given.value)
    if ('file' in part) {
      pieces.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(part.name)}"; filename="${quoted(part.fileName)}"\r\nContent-Type: ${part.contentType}\r\n\r\n`), part.file, CRLF)
    } else if (part.value !== null) {
      pieces.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(part.name)}"\r\n\r\n${textOf(part.value)}\r\n`))
    }
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return {
    method: 'POST',
    contentType: `multipart/form-data; boundary=${boundary}`,
    accept: streaming ? 'text/event-stream' : 'application/json',
    body: Buffer.concat(pieces),
  }
}

const CRLF = Buffer.from('\r\n')

function textOf(value: Json): string {
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Names within a header line, as the HTML standard escapes them. */
function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
