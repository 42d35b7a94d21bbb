import { BytePairs, NO_MERGE, type MergeOrder } from './bytePairs.js'
import { byRank, HASH_SEED, hashStep, type RankTable } from './rankTable.js'
import { endOfString, isSpace, type TokenizerRegions } from './tokenizerJson.js'

/** A byte-level byte-pair model in flat arrays. */
export interface ByteLevelModel {
  table: RankTable
  order: MergeOrder
}

const QUOTE = 34
const BACKSLASH = 92
const MINUS_ONE = -1

/**
 * Bytes by the characters that stand for them in byte-level vocabularies: printable ones for themselves, the others from
 * U+0100 on. Source: bytes_to_unicode of GPT-2.
 */
const BYTE_OF = new Int16Array(0x200).fill(MINUS_ONE)
for (let byte = 0, shifted = 0x100; byte < 256; byte++)
  BYTE_OF[(byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae ? byte : shifted++] = byte

/** Reads vocabulary and merges from where they stand in the file; undefined when they are not those of a byte-level model. */
export function readByteLevelModel(file: Uint8Array, { vocab, merges }: TokenizerRegions): ByteLevelModel | undefined {
  const table = readVocabulary(file, vocab)
  const order = table && readMerges(file, merges, table)
  return order && { table, order }
}

/** Writes the bytes of a quoted token to `out`; −1 when it has a character that stands for no byte. */
function readToken(file: Uint8Array, from: number, to: number, out: Uint8Array, at: number): number {
  for (let i = from; i < to; i++) {
    let code = file[i]!
    if (code === BACKSLASH) {
      code = file[++i]!
      if (code === 117) {
        code = Number.parseInt(Buffer.from(file.buffer, file.byteOffset + i + 1, 4).toString('latin1'), 16)
        i += 4
      } else if (code !== QUOTE && code !== BACKSLASH && code !== 47) return MINUS_ONE
    } else if (code >= 0x80) {
      if (code < 0xc0 || code >= 0xe0) return MINUS_ONE
      code = ((code & 0x1f) << 6) | (file[++i]! & 0x3f)
    }
    const byte = code < 0x200 ? BYTE_OF[code]! : MINUS_ONE
    if (byte < 0) return MINUS_ONE
    out[at++] = byte
  }
  return at
}

function readVocabulary(file: Uint8Array, [from, to]: [number, number]): RankTable | undefined {
  const bytes = new Uint8Array(to - from)
  // `"a":0,` is the shortest entry.
  const most = Math.ceil((to - from) / 6) + 1
  const starts = new Uint32Array(most + 1)
  const hashes = new Int32Array(most)
  const ids = new Int32Array(most)
  let written = 0
  let count = 0
  let highest = MINUS_ONE
  for (let at = from; at < to; at++) {
    if (file[at] !== QUOTE) continue
    const end = endOfString(file, at + 1)
    const after = readToken(file, at + 1, end, bytes, written)
    at = end + 1
    while (at < to && (file[at] === 58 || isSpace(file[at]!))) at++
    let id = 0
    for (let digit = file[at]!; digit >= 48 && digit <= 57; digit = file[++at]!) id = id * 10 + digit - 48
    if (id > highest) highest = id
    // Tokens that are no bytes are reached as added tokens only.
    if (after <= written) continue
    let hash = HASH_SEED
    for (let i = written; i < after; i++) hash = hashStep(hash, bytes[i]!)
    starts[count] = written
    hashes[count] = hash
    ids[count++] = id
    written = after
  }
  starts[count] = written
  if (count === 0 || highest > 2 ** 24) return undefined
  const table = byRank(bytes, starts, hashes, ids.subarray(0, count), highest + 1)
  const pairs = new BytePairs(table)
  for (let byte = 0; byte < 256; byte++) {
    pairs.piece[0] = byte
    if (pairs.find(0, 1) < 0) return undefined
  }
  return table
}

function readMerges(file: Uint8Array, [from, to]: [number, number], table: RankTable): MergeOrder | undefined {
  const pairs = new BytePairs(table)
  const scratch = new Uint8Array(to - from < 4096 ? to - from : 4096)
  const idOf = (start: number, end: number): number => {
    if (end - start > scratch.length) return MINUS_ONE
    const length = readToken(file, start, end, scratch, 0)
    if (length < 1) return MINUS_ONE
    pairs.reserve(length)
    pairs.piece.set(scratch.subarray(0, length))
    return pairs.find(0, length)
  }
  // `"a b",` is the shortest entry.
  const most = Math.ceil((to - from) / 6) + 1
  const left = new Int32Array(most)
  const right = new Int32Array(most)
  let count = 0
  for (let at = from; at < to; at++) {
    if (file[at] !== QUOTE) continue
    // `"left right"`, or `["left", "right"]` in newer files.
    const end = endOfString(file, at + 1)
    let first: number
    let second: number
    const space = Buffer.prototype.indexOf.call(Buffer.from(file.buffer, file.byteOffset + at + 1, end - at - 1), 32)
    if (space >= 0) {
      first = idOf(at + 1, at + 1 + space)
      second = idOf(at + 2 + space, end)
      at = end
    } else {
      first = idOf(at + 1, end)
      let next = end + 1
      while (next < to && file[next] !== QUOTE) next++
      const last = endOfString(file, next + 1)
      second = idOf(next + 1, last)
      at = last
    }
    if (first < 0 || second < 0) return undefined
    left[count] = first
    right[count++] = second
  }
  return new PairRanks(left.subarray(0, count), right.subarray(0, count))
}

/** Ranks by pairs of ids, by open addressing. */
class PairRanks implements MergeOrder {
  readonly #left: Int32Array
  readonly #right: Int32Array
  readonly #ranks: Int32Array
  readonly #mask: number

  constructor(left: Int32Array, right: Int32Array) {
    let capacity = 16
    while (capacity < left.length * 1.6) capacity *= 2
    this.#mask = capacity - 1
    this.#left = new Int32Array(capacity).fill(MINUS_ONE)
    this.#right = new Int32Array(capacity)
    this.#ranks = new Int32Array(capacity)
    for (let rank = 0; rank < left.length; rank++) {
      let slot = this.#slot(left[rank]!, right[rank]!)
      while (this.#left[slot] !== MINUS_ONE && !(this.#left[slot] === left[rank] && this.#right[slot] === right[rank])) slot = (slot + 1) & this.#mask
      // Of a pair that is listed twice the later place counts, as in a table that is filled in order.
      this.#left[slot] = left[rank]!
      this.#right[slot] = right[rank]!
      this.#ranks[slot] = rank
    }
  }

  #slot(left: number, right: number): number {
    const hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)
    return (hash ^ (hash >>> 15)) & this.#mask
  }

  rank(left: number, right: number): number {
    for (let slot = this.#slot(left, right); ; slot = (slot + 1) & this.#mask) {
      const held = this.#left[slot]!
      if (held === MINUS_ONE) return NO_MERGE
      if (held === left && this.#right[slot] === right) return this.#ranks[slot]!
    }
  }
}
