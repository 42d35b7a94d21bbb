import { AskError, type Ask } from './ask.js'

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58

const KEYS = {
  model: Buffer.from('"model"'),
  stream: Buffer.from('"stream"'),
  includeUsage: Buffer.from('"include_usage"'),
  everyChunk: Buffer.from('"continuous_usage_stats"'),
  maxCompletionTokens: Buffer.from('"max_completion_tokens"'),
  maxTokens: Buffer.from('"max_tokens"'),
  minTokens: Buffer.from('"min_tokens"'),
  ignoreEos: Buffer.from('"ignore_eos"'),
  content: Buffer.from('"content"'),
  text: Buffer.from('"text"'),
}

/**
 * Reads a request by looking for a few keys in its bytes, which costs a fraction of reading its JSON. A key counts
 * wherever it stands with a value of the right type; quoted JSON within a prompt is passed over, since its quotes are
 * escaped. `promptChars` counts the bytes of the prompt's strings as they stand.
 *
 * @param prompt the key that holds the prompt: `messages`, `prompt`
 */
export function scanAsk(body: Buffer, prompt: string): Ask {
  const key = Buffer.from(`"${prompt}"`)
  const start = valueAt(body, key, 0)
  if (body[firstByte(body)] !== 0x7b || lastByte(body) !== 0x7d) throw new AskError('the body is not a JSON object')
  if (start < 0) throw new AskError(`${prompt}: this field is required`)
  const streamed = isTrue(body, KEYS.stream)
  return {
    model: stringOf(body, KEYS.model),
    stream: streamed,
    includeUsage: streamed && isTrue(body, KEYS.includeUsage),
    usageInEveryChunk: streamed && isTrue(body, KEYS.everyChunk),
    maxTokens: numberOf(body, KEYS.maxCompletionTokens) ?? numberOf(body, KEYS.maxTokens),
    minTokens: numberOf(body, KEYS.minTokens) ?? 0,
    ignoreEos: isTrue(body, KEYS.ignoreEos),
    promptChars: body[start] === QUOTE ? stringEnd(body, start) - start - 1 : stringBytes(body, KEYS.content) + stringBytes(body, KEYS.text),
  }
}

/** Where the value of the next such key begins, from a position on; -1 where there is none. */
function valueAt(body: Buffer, key: Buffer, from: number): number {
  for (let at = body.indexOf(key, from); at >= 0; at = body.indexOf(key, at + 1)) {
    if (at > 0 && body[at - 1] === BACKSLASH) continue
    const colon = skipSpace(body, at + key.length)
    if (body[colon] === COLON) return skipSpace(body, colon + 1)
  }
  return -1
}

function skipSpace(body: Buffer, from: number): number {
  let at = from
  while (body[at] === 32 || body[at] === 10 || body[at] === 13 || body[at] === 9) at++
  return at
}

function firstByte(body: Buffer): number {
  return skipSpace(body, 0)
}

function lastByte(body: Buffer): number | undefined {
  let at = body.length - 1
  while (at > 0 && (body[at] === 32 || body[at] === 10 || body[at] === 13 || body[at] === 9)) at--
  return body[at]
}

function isTrue(body: Buffer, key: Buffer): boolean {
  for (let at = valueAt(body, key, 0); at >= 0; at = valueAt(body, key, at)) {
    if (body[at] === 0x74) return true
    if (body[at] === 0x66) return false
  }
  return false
}

function numberOf(body: Buffer, key: Buffer): number | undefined {
  for (let at = valueAt(body, key, 0); at >= 0; at = valueAt(body, key, at)) {
    let value = 0
    let digits = 0
    for (; body[at + digits]! >= 48 && body[at + digits]! <= 57; digits++) value = value * 10 + body[at + digits]! - 48
    if (digits > 0) return value
  }
  return undefined
}

function stringOf(body: Buffer, key: Buffer): string {
  for (let at = valueAt(body, key, 0); at >= 0; at = valueAt(body, key, at)) {
    if (body[at] !== QUOTE) continue
    const text = body.toString('utf8', at + 1, stringEnd(body, at))
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
  }
  return ''
}

function stringBytes(body: Buffer, key: Buffer): number {
  let bytes = 0
  for (let at = valueAt(body, key, 0); at >= 0; ) {
    const end = body[at] === QUOTE ? stringEnd(body, at) : at
    if (end > at) bytes += end - at - 1
    at = valueAt(body, key, end)
  }
  return bytes
}

/** Where the string that begins at `start` has its closing quote. */
function stringEnd(body: Buffer, start: number): number {
  for (let at = body.indexOf(QUOTE, start + 1); at >= 0; at = body.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (body[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return body.length
}
