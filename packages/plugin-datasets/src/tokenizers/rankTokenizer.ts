import { createHash } from 'node:crypto'
import { AiperfError, type Tokenizer } from '@aiperf/core'
import { BytePairs } from './bytePairs.js'
import { HASH_SEED, hashStep, type RankTable } from './rankTable.js'

export interface RankEncoding {
  name: string
  table: RankTable
  /** Cuts a text into pieces, see `splitPatterns`. */
  split: RegExp
  /** Texts of special ids. They are kept when decoding and never made when encoding. */
  special: Readonly<Record<string, number>>
  /** Number of ids; may exceed the highest rank. */
  vocabularySize: number
  /** The rank file's content, for the vocabulary's hash. */
  file(): Uint8Array
}

/** A tiktoken encoding. Text of special tokens in the input is ordinary text. */
export class RankTokenizer implements Tokenizer {
  readonly name: string
  /** All split patterns begin a new piece at a space before a letter. */
  readonly splitsAtSpaces = true
  readonly vocabularySize: number
  readonly #table: RankTable
  readonly #pairs: BytePairs
  readonly #split: RegExp
  readonly #special: ReadonlyMap<number, Uint8Array>
  readonly #file: () => Uint8Array
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #hash: string | undefined
  #specialIds: ReadonlySet<number> | undefined

  constructor(encoding: RankEncoding) {
    this.name = encoding.name
    this.vocabularySize = encoding.vocabularySize
    this.#table = encoding.table
    this.#pairs = new BytePairs(encoding.table)
    this.#split = encoding.split
    this.#file = encoding.file
    this.#special = new Map(Object.entries(encoding.special).map(([text, id]) => [id, Buffer.from(text)]))
  }

  get hash(): string {
    return (this.#hash ??= createHash('sha256').update(this.#file()).digest('hex'))
  }

  get specialIds(): ReadonlySet<number> {
    if (this.#specialIds) return this.#specialIds
    const ids = new Set(this.#special.keys())
    const { starts, size } = this.#table
    for (let id = 0; id < this.vocabularySize; id++) if (id >= size || starts[id] === starts[id + 1]) ids.add(id)
    return (this.#specialIds = ids)
  }

  encode(text: string): number[] {
    const out: number[] = []
    this.#run(text, out)
    return out
  }

  count(text: string): number {
    return this.#run(text, undefined)
  }

  decode(ids: readonly number[]): string {
    const { bytes, starts, size } = this.#table
    let length = 0
    for (const id of ids) length += this.#special.get(id)?.length ?? (id < size ? starts[id + 1]! - starts[id]! : 0)
    const out = new Uint8Array(length)
    let written = 0
    for (const id of ids) {
      const token = this.#special.get(id) ?? bytes.subarray(starts[id], starts[id + 1])
      if (token.length === 0 || !(id < this.vocabularySize))
        throw new AiperfError('E_TOKENIZER', `${this.name} has no token ${id}: expected an id from 0 to ${this.vocabularySize - 1}`)
      out.set(token, written)
      written += token.length
    }
    return this.#decoder.decode(out)
  }

  #run(text: string, out: number[] | undefined): number {
    const split = this.#split
    const pairs = this.#pairs
    split.lastIndex = 0
    let from = 0
    let count = 0
    // `test` moves lastIndex to the end of the match without making a string of it.
    while (from < text.length && split.test(text)) {
      const to = split.lastIndex
      if ((to - from) * 3 > pairs.piece.length) pairs.reserve((to - from) * 3)
      const piece = pairs.piece
      let length = 0
      let hash = HASH_SEED
      for (let i = from; i < to; i++) {
        let code = text.charCodeAt(i)
        if (code < 0x80) {
          piece[length++] = code
          hash = hashStep(hash, code)
          continue
        }
        if (code >= 0xd800 && code < 0xe000) {
          const low = i + 1 < to && code < 0xdc00 ? text.charCodeAt(i + 1) : 0
          if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
            i++
          } else code = 0xfffd // half a surrogate pair has no UTF-8 form
        }
        const start = length
        if (code < 0x800) piece[length++] = 0xc0 | (code >> 6)
        else {
          if (code < 0x10000) piece[length++] = 0xe0 | (code >> 12)
          else {
            piece[length++] = 0xf0 | (code >> 18)
            piece[length++] = 0x80 | ((code >> 12) & 0x3f)
          }
          piece[length++] = 0x80 | ((code >> 6) & 0x3f)
        }
        piece[length++] = 0x80 | (code & 0x3f)
        for (let k = start; k < length; k++) hash = hashStep(hash, piece[k]!)
      }
      from = to
      const rank = length <= this.#table.longest ? pairs.probe(hash, 0, length) : -1
      if (rank < 0) count += pairs.merge(length, out)
      else {
        count++
        if (out) out.push(rank)
      }
    }
    return count
  }
}
