import { jsonText } from '../format/json-text.js'

/**
 * A request body as a JSON value: a JSON body as it was sent (long numbers keep their digits); any other
 * as `{"text": …}` when it is UTF-8, else as `{"base64": …}`.
 */
export function bodyAsJson(body: Uint8Array): string {
  const text = utf8(body)
  if (text === undefined) return jsonText({ base64: Buffer.from(body).toString('base64') }, 0).replaceAll('\n', '')
  try {
    JSON.parse(text)
    // A line break in a JSON text can only stand between values: without it the text fits on a line.
    return /[\r\n]/.test(text) ? text.split(/[\r\n]+/).map((line) => line.trim()).join(' ').trim() : text
  } catch {
    return `{"text":${JSON.stringify(text)}}`
  }
}

const strict = new TextDecoder('utf-8', { fatal: true })
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}
