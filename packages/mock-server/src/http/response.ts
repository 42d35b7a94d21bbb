import { STATUS_CODES } from 'node:http'
import { nowMs } from '../timing/clock.js'

/** How the end of a response body is told. */
export type Framing = number | 'chunked' | 'until-close'

/**
 * A response's head as Latin-1, with the empty line. `framing` is the body's length, or says that it comes in chunks or
 * ends with the connection. `extra` is further header lines, each beginning with CR LF.
 */
export function responseHead(status: number, contentType: string, framing: Framing, extra = ''): string {
  const frame = framing === 'chunked' ? '\r\ntransfer-encoding: chunked' : framing === 'until-close' ? '' : `\r\ncontent-length: ${framing}`
  return `${firstLines(status, contentType)}${frame}${extra}\r\n\r\n`
}

let first = ''
let firstOf: readonly [number, string] = [0, '']
let firstUntilMs = -1

/** The status line, the content type and the date; the last ones made are kept, as the next ones are often the same. */
function firstLines(status: number, contentType: string): string {
  const now = nowMs()
  if (now > firstUntilMs || firstOf[0] !== status || firstOf[1] !== contentType) {
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`, `content-type: ${contentType}`, `date: ${new Date().toUTCString()}`]
    first = lines.join('\r\n')
    firstOf = [status, contentType]
    firstUntilMs = now + 500
  }
  return first
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
