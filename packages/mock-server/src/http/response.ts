import { STATUS_CODES } from 'node:http'
import { nowMs } from '../timing/clock.js'

/** How the end of a response body is told. */
export type Framing = number | 'chunked' | 'until-close'

let dateLine = ''
let dateUntilMs = -1

function date(): string {
  const now = nowMs()
  if (now > dateUntilMs) {
    dateLine = `\r\ndate: ${new Date().toUTCString()}`
    dateUntilMs = now + 500
  }
  return dateLine
}

/**
 * A response's head as Latin-1, with the empty line. `framing` is the body's length, or says that it comes in chunks or
 * ends with the connection. `extra` is further header lines, each beginning with CR LF.
 */
export function responseHead(status: number, contentType: string, framing: Framing, extra = ''): string {
  const reason = STATUS_CODES[status] ?? 'Unknown'
  const frame = framing === 'chunked' ? '\r\ntransfer-encoding: chunked' : framing === 'until-close' ? '' : `\r\ncontent-length: ${framing}`
  return `HTTP/1.1 ${status} ${reason}\r\ncontent-type: ${contentType}${frame}${extra}${date()}\r\n\r\n`
}

const sizeLines = Array.from({ length: 2048 }, (_, size) => `${size.toString(16)}\r\n`)

/** One chunk of the chunked encoding around text that is Latin-1. */
export function chunk(text: string): string {
  const size = text.length
  return (sizeLines[size] ?? `${size.toString(16)}\r\n`) + text + '\r\n'
}

export const LAST_CHUNK = '0\r\n\r\n'

/** JSON in which every character is ASCII, so that its length is its number of bytes. */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value)
  // eslint-disable-next-line no-control-regex
  return /[^\x00-\x7e]/.test(json) ? json.replace(/[^\x00-\x7e]/g, escapeUnit) : json
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
