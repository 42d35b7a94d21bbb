import { AiperfError } from '@aiperf/core'

/**
 * The tokens of a byte-pair vocabulary by their bytes, in three flat arrays: 200,000 tokens cost about 5 MB and no
 * objects, so that a thread can afford its own copy.
 */
export interface RankTable {
  /** Bytes of all tokens, one after the other, by rank. */
  readonly bytes: Uint8Array
  /** `starts[rank]` … `starts[rank + 1]` are the bytes of a token; an empty range is a rank that no token has. */
  readonly starts: Uint32Array
  /** Open addressing by `hashStep` over the bytes: rank, or −1. */
  readonly slots: Int32Array
  /** Highest rank + 1. */
  readonly size: number
  /** Bytes of the longest token. */
  readonly longest: number
}

export const HASH_SEED = 0x811c9dc5 | 0
const HASH_PRIME = 0x01000193

/** One step of the table's hash (FNV-1a); fold with `slotOf`. */
export const hashStep = (hash: number, byte: number): number => Math.imul(hash ^ byte, HASH_PRIME)
export const slotOf = (hash: number, mask: number): number => (hash ^ (hash >>> 15)) & mask

const BASE64 = new Int8Array(256).fill(-1)
for (const [value, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  BASE64[letter.charCodeAt(0)] = value

const NEWLINE = 10
const SPACE = 32
const DIGIT = 48

/**
 * Reads a tiktoken rank file: lines of `<base64 bytes> <rank>`.
 *
 * @throws AiperfError E_TOKENIZER with file and line when a line is none.
 */
export function readRankTable(file: Uint8Array, name: string): RankTable {
  let lines = 1
  for (let i = 0; i < file.length; i++) if (file[i] === NEWLINE) lines++
  const lineBytes = new Uint8Array(Math.ceil((file.length * 3) / 4))
  const lineStarts = new Uint32Array(lines + 1)
  const ranks = new Int32Array(lines)
  let at = 0
  let written = 0
  let line = 0
  let physical = 0
  let highest = -1
  let ascending = true
  while (at < file.length) {
    physical++
    if (file[at] === NEWLINE || file[at] === 13) {
      at++
      continue
    }
    const start = written
    let bits = 0
    let pending = 0
    for (let value = BASE64[file[at]!]!; value >= 0; value = BASE64[file[++at]!] ?? -1) {
      bits = (bits << 6) | value
      pending += 6
      if (pending >= 8) {
        pending -= 8
        lineBytes[written++] = bits >>> pending
        bits &= 0xff
      }
    }
    while (file[at] === 61) at++
    const separated = file[at] === SPACE && written > start
    at++
    let rank = 0
    const digits = at
    while (file[at]! >= DIGIT && file[at]! <= DIGIT + 9) rank = rank * 10 + file[at++]! - DIGIT
    if (file[at] === 13) at++
    if (!separated || at === digits || (at < file.length && file[at] !== NEWLINE) || rank > 0x7ffffff)
      throw new AiperfError('E_TOKENIZER', `${name}, line ${physical}: expected "<base64> <rank>" as in a tiktoken file`)
    at++
    if (rank !== line) ascending = false
    if (rank > highest) highest = rank
    lineStarts[line] = start
    ranks[line++] = rank
  }
  lineStarts[line] = written
  if (line === 0) throw new AiperfError('E_TOKENIZER', `${name} holds no tokens: expected lines of "<base64> <rank>"`)
  const size = highest + 1
  if (ascending) return index(lineBytes.slice(0, written), lineStarts.slice(0, size + 1), size)
  return byRank(lineBytes, lineStarts, ranks.subarray(0, line), size)
}

/** Puts tokens that came in another order, or with gaps, into the order of their ranks. */
function byRank(lineBytes: Uint8Array, lineStarts: Uint32Array, ranks: Int32Array, size: number): RankTable {
  const lineOf = new Int32Array(size).fill(-1)
  ranks.forEach((rank, line) => (lineOf[rank] = line))
  const bytes = new Uint8Array(lineStarts[ranks.length]!)
  const starts = new Uint32Array(size + 1)
  let written = 0
  for (let rank = 0; rank < size; rank++) {
    starts[rank] = written
    const line = lineOf[rank]!
    if (line < 0) continue
    const token = lineBytes.subarray(lineStarts[line], lineStarts[line + 1])
    bytes.set(token, written)
    written += token.length
  }
  starts[size] = written
  return index(bytes, starts, size)
}

function index(bytes: Uint8Array, starts: Uint32Array, size: number): RankTable {
  let capacity = 1
  while (capacity < size * 2) capacity *= 2
  const slots = new Int32Array(capacity).fill(-1)
  const mask = capacity - 1
  let longest = 0
  for (let rank = 0; rank < size; rank++) {
    const from = starts[rank]!
    const to = starts[rank + 1]!
    if (from === to) continue
    if (to - from > longest) longest = to - from
    let hash = HASH_SEED
    for (let i = from; i < to; i++) hash = hashStep(hash, bytes[i]!)
    let slot = slotOf(hash, mask)
    while (slots[slot] !== -1) slot = (slot + 1) & mask
    slots[slot] = rank
  }
  return { bytes, starts, slots, size, longest }
}
