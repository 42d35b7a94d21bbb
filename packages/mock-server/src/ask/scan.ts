import { AskError, type Ask } from './ask.js'

const QUOTE = 34
const BACKSLASH = 92

/** The keys whose strings are prompt text. */
const CONTENT = Buffer.from('"content"')
const PROMPT = Buffer.from('"prompt"')

/**
 * Reads a request by looking for a few keys in its bytes, which costs a fraction of reading its JSON. A key counts
 * wherever it stands with a value of the right type; quoted JSON within a prompt is passed over, since its quotes are
 * escaped. `promptChars` counts the bytes of the prompt's strings as they stand.
 *
 * @param required the key that holds the prompt
 */
export function scanAsk(body: Buffer, required: 'messages' | 'prompt'): Ask {
  const { rest, bytes } = withoutTexts(body, required === 'prompt' ? PROMPT : CONTENT)
  if (!rest.trimStart().startsWith('{') || !rest.trimEnd().endsWith('}')) throw new AskError('the body is not a JSON object')
  if (valueAt(rest, `"${required}"`, 0) < 0) throw new AskError(`${required}: this field is required`)
  const stream = isTrue(rest, '"stream"')
  return {
    model: stringOf(rest, '"model"'),
    stream,
    includeUsage: stream && isTrue(rest, '"include_usage"'),
    usageInEveryChunk: stream && isTrue(rest, '"continuous_usage_stats"'),
    maxTokens: numberOf(rest, '"max_completion_tokens"') ?? numberOf(rest, '"max_tokens"'),
    minTokens: numberOf(rest, '"min_tokens"') ?? 0,
    ignoreEos: isTrue(rest, '"ignore_eos"'),
    // Where the prompt is in none of these, say a list of texts, all there is counts.
    promptChars: bytes + textBytes(rest) || rest.length,
  }
}

/**
 * The body, as Latin-1, with the strings of one key taken out, and how many bytes they had. What is left is short, and
 * cheap to search again and again.
 */
function withoutTexts(body: Buffer, key: Buffer): { rest: string; bytes: number } {
  let rest = ''
  let bytes = 0
  let from = 0
  for (let at = body.indexOf(key); at >= 0; at = body.indexOf(key, at)) {
    const escaped = at > 0 && body[at - 1] === BACKSLASH
    at = startOfString(body, at + key.length)
    if (escaped || body[at] !== QUOTE) continue
    const end = endOfString(body, at)
    rest += body.toString('latin1', from, at + 1)
    bytes += end - at - 1
    from = at = end
  }
  return { rest: rest + body.toString('latin1', from), bytes }
}

/** Where the string that is a key's value begins; any position after the key where its value is no string. */
function startOfString(body: Buffer, from: number): number {
  let at = from
  while (body[at] === 58 || body[at] === 32 || body[at] === 10 || body[at] === 13 || body[at] === 9) at++
  return at
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(body: Buffer, start: number): number {
  for (let at = body.indexOf(QUOTE, start + 1); at >= 0; at = body.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (body[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return body.length
}

/** Where the value of the next such key begins, from a position on; -1 where there is none. */
function valueAt(json: string, key: string, from: number): number {
  for (let at = json.indexOf(key, from); at >= 0; at = json.indexOf(key, at + 1)) {
    if (json[at - 1] === '\\') continue
    const colon = skipSpace(json, at + key.length)
    if (json[colon] === ':') return skipSpace(json, colon + 1)
  }
  return -1
}

function skipSpace(json: string, from: number): number {
  let at = from
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++
  return at
}

function isTrue(json: string, key: string): boolean {
  for (let at = valueAt(json, key, 0); at >= 0; at = valueAt(json, key, at)) {
    if (json[at] === 't') return true
    if (json[at] === 'f') return false
  }
  return false
}

function numberOf(json: string, key: string): number | undefined {
  for (let at = valueAt(json, key, 0); at >= 0; at = valueAt(json, key, at)) {
    const number = parseInt(json.slice(at, at + 16), 10)
    if (number >= 0) return number
  }
  return undefined
}

function stringOf(json: string, key: string): string {
  for (let at = valueAt(json, key, 0); at >= 0; at = valueAt(json, key, at)) {
    const end = json[at] === '"' ? closingQuote(json, at) : -1
    if (end < 0) continue
    const text = json.slice(at, end + 1)
    return /^[\x20-\x7e]*$/.test(text) && !text.includes('\\') ? text.slice(1, -1) : decoded(text)
  }
  return ''
}

function decoded(latin1: string): string {
  try {
    return JSON.parse(Buffer.from(latin1, 'latin1').toString()) as string
  } catch {
    throw new AskError('model: this is not a JSON string')
  }
}

/** Bytes of the `text` strings of content that comes in parts. */
function textBytes(json: string): number {
  let bytes = 0
  for (let at = valueAt(json, '"text"', 0); at >= 0; at = valueAt(json, '"text"', at + 1)) {
    if (json[at] === '"') bytes += Math.max(0, closingQuote(json, at) - at - 1)
  }
  return bytes
}

function closingQuote(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (json[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}
