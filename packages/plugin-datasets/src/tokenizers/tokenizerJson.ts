const QUOTE = 34
const BACKSLASH = 92

/** Parts of a tokenizer.json that are too large for objects, as places in the file, and the rest of it without them. */
export interface TokenizerRegions {
  /** `[start, end)` of the value of `model.vocab`. */
  vocab: [number, number]
  merges: [number, number]
  /** The file with an empty object and list in their place. */
  rest: string
}

/** Finds the vocabulary and the merges; undefined when the file has none of that form. */
export function tokenizerRegions(file: Uint8Array): TokenizerRegions | undefined {
  const found: { vocab?: [number, number]; merges?: [number, number] } = {}
  let depth = 0
  let inModel = false
  for (let at = 0; at < file.length; at++) {
    const byte = file[at]!
    if (byte === QUOTE) {
      const start = at + 1
      at = endOfString(file, start)
      if (depth > 2 || (depth === 2 && !inModel)) continue
      const value = valueAfter(file, at + 1)
      if (value < 0) continue
      const key = Buffer.from(file.buffer, file.byteOffset + start, at - start).toString('latin1')
      if (depth === 1) inModel = key === 'model'
      else if (key === 'vocab' || key === 'merges') {
        const end = endOfValue(file, value)
        found[key] = [value, end]
        at = end - 1
      }
    } else if (byte === 123 || byte === 91) depth++
    else if (byte === 125 || byte === 93) depth--
  }
  const { vocab, merges } = found
  if (!vocab || !merges || file[vocab[0]] !== 123 || file[merges[0]] !== 91) return undefined
  const [first, second] = vocab[0] < merges[0] ? [vocab, merges] : [merges, vocab]
  const text = (from: number, to: number) => Buffer.from(file.buffer, file.byteOffset + from, to - from).toString('utf8')
  const empty = (region: [number, number]) => (region === vocab ? '{}' : '[]')
  return { vocab, merges, rest: text(0, first[0]) + empty(first) + text(first[1], second[0]) + empty(second) + text(second[1], file.length) }
}

/** Place of the quote that ends the string whose content begins at `from`. */
export function endOfString(file: Uint8Array, from: number): number {
  let at = from
  while (at < file.length && file[at] !== QUOTE) at += file[at] === BACKSLASH ? 2 : 1
  return at
}

/** First byte of the value behind the colon that follows; −1 when no colon does. */
function valueAfter(file: Uint8Array, from: number): number {
  let at = from
  while (isSpace(file[at]!)) at++
  if (file[at] !== 58) return -1
  at++
  while (isSpace(file[at]!)) at++
  return at
}

export const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9

/** The place behind an object or list. */
function endOfValue(file: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < file.length; at++) {
    const byte = file[at]!
    if (byte === QUOTE) at = endOfString(file, at + 1)
    else if (byte === 123 || byte === 91) depth++
    else if ((byte === 125 || byte === 93) && --depth === 0) return at + 1
  }
  return file.length
}
