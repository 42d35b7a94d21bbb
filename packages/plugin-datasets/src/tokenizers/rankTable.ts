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
const RETURN = 13
const SPACE = 32
const EQUALS = 61
const DIGIT = 48
/** Bytes of the shortest line, `IQ== 0` and its end. */
const SHORTEST_LINE = 7
/** Ranks stay below this, so that a rank and a position fit one double. */
const RANKS = 2 ** 27

/**
 * Reads a tiktoken rank file: lines of `<base64 bytes> <rank>`.
 *
 * @throws AiperfError E_TOKENIZER with file and line when a line is none.
 */
export function readRankTable(file: Uint8Array, name: string): RankTable {
  // One pass over 3.6 MB before the first request: bytes, places and hashes are taken as they come.
  const lines = Math.ceil((file.length + 1) / SHORTEST_LINE)
  const bytes = new Uint8Array(Math.ceil((file.length * 3) / 4))
  const starts = new Uint32Array(lines + 1)
  const hashes = new Int32Array(lines)
  const ranks = new Int32Array(lines)
  const length = file.length
  let at = 0
  let written = 0
  let line = 0
  let physical = 0
  let highest = -1
  let ascending = true
  while (at < length) {
    physical++
    let byte = file[at]!
    if (byte === NEWLINE || byte === RETURN) {
      at++
      continue
    }
    const start = written
    let hash = HASH_SEED
    for (let first = BASE64[byte]!; first >= 0 && at + 4 < length; first = BASE64[file[at]!]!) {
      const second = BASE64[file[at + 1]!]!
      const third = BASE64[file[at + 2]!]!
      const fourth = BASE64[file[at + 3]!]!
      at += 4
      if (second < 0) break
      byte = ((first << 2) | (second >> 4)) & 0xff
      bytes[written++] = byte
      hash = hashStep(hash, byte)
      if (third < 0) break
      byte = ((second << 4) | (third >> 2)) & 0xff
      bytes[written++] = byte
      hash = hashStep(hash, byte)
      if (fourth < 0) break
      byte = ((third << 6) | fourth) & 0xff
      bytes[written++] = byte
      hash = hashStep(hash, byte)
    }
    const separated = written > start && file[at] === SPACE && (BASE64[file[at - 1]!]! >= 0 || file[at - 1] === EQUALS)
    const digits = ++at
    let rank = 0
    for (byte = file[at]!; byte >= DIGIT && byte <= DIGIT + 9; byte = file[++at]!) rank = rank * 10 + byte - DIGIT
    if (byte === RETURN) byte = file[++at]!
    if (!separated || at === digits || rank >= RANKS || (at < length && byte !== NEWLINE))
      throw new AiperfError('E_TOKENIZER', `${name}, line ${physical}: expected "<base64> <rank>" as in a tiktoken file`)
    at++
    if (rank !== line) ascending = false
    if (rank > highest) highest = rank
    starts[line] = start
    hashes[line] = hash
    ranks[line++] = rank
  }
  starts[line] = written
  if (line === 0) throw new AiperfError('E_TOKENIZER', `${name} holds no tokens: expected lines of "<base64> <rank>"`)
  if (ascending) return index(bytes.slice(0, written), starts.slice(0, line + 1), hashes)
  return byRank(bytes, starts, hashes, ranks.subarray(0, line), highest + 1)
}

/** Puts tokens that came in another order, or with gaps, into the order of their ranks; `size` is the highest rank + 1. */
export function byRank(lineBytes: Uint8Array, lineStarts: Uint32Array, lineHashes: Int32Array, ranks: Int32Array, size: number): RankTable {
  const lineOf = new Int32Array(size).fill(-1)
  ranks.forEach((rank, line) => (lineOf[rank] = line))
  const bytes = new Uint8Array(lineStarts[ranks.length]!)
  const starts = new Uint32Array(size + 1)
  const hashes = new Int32Array(size)
  let written = 0
  for (let rank = 0; rank < size; rank++) {
    starts[rank] = written
    const line = lineOf[rank]!
    if (line < 0) continue
    const token = lineBytes.subarray(lineStarts[line], lineStarts[line + 1])
    hashes[rank] = lineHashes[line]!
    bytes.set(token, written)
    written += token.length
  }
  starts[size] = written
  return index(bytes, starts, hashes)
}

function index(bytes: Uint8Array, starts: Uint32Array, hashes: Int32Array): RankTable {
  const size = starts.length - 1
  let capacity = 1
  while (capacity < size * 2) capacity *= 2
  const slots = new Int32Array(capacity).fill(-1)
  const mask = capacity - 1
  let longest = 0
  for (let rank = 0; rank < size; rank++) {
    const length = starts[rank + 1]! - starts[rank]!
    if (length === 0) continue
    if (length > longest) longest = length
    let slot = slotOf(hashes[rank]!, mask)
    while (slots[slot] !== -1) slot = (slot + 1) & mask
    slots[slot] = rank
  }
  return { bytes, starts, slots, size, longest }
}
