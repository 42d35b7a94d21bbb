import type { Tokenizer as Library } from '@huggingface/tokenizers'
import type { Tokenizer } from '@aiperf/core'
import { BytePairs } from './bytePairs.js'
import type { ByteLevelModel } from './byteLevelModel.js'
import type { RankTable } from './rankTable.js'
import { splitPatterns } from './splitPatterns.js'

/** What a tokenizer.json says besides vocabulary and merges. */
export interface ByteLevelJson {
  added_tokens?: { id: number; content: string; special?: boolean; single_word?: boolean; lstrip?: boolean; rstrip?: boolean; normalized?: boolean }[]
  normalizer?: { type?: string } | null
  pre_tokenizer?: PreTokenizer | null
  decoder?: { type?: string } | null
  model?: { type?: string; dropout?: unknown; continuing_subword_prefix?: string | null; end_of_word_suffix?: string | null; byte_fallback?: boolean; ignore_merges?: boolean }
}
interface PreTokenizer {
  type?: string
  pretokenizers?: PreTokenizer[]
  add_prefix_space?: boolean
  use_regex?: boolean
}

/** Pieces whose tokens are kept, for models that merge every piece anew. */
const KEPT = 20_000

/** Cuts a text into the pieces that are merged, each by itself. */
type Cut = (text: string) => readonly string[]

/**
 * How the text of a byte-level model is cut; undefined when the file asks for something that is only done right by the
 * library: other normalisers, models, or added tokens that take in spaces.
 */
export function byteLevelCut(json: ByteLevelJson, libraryOf: (preTokenizer: PreTokenizer) => Library): Cut | undefined {
  const { model, decoder, normalizer, added_tokens: added = [], pre_tokenizer: cut } = json
  if (model?.type !== 'BPE' || model.dropout || model.continuing_subword_prefix || model.end_of_word_suffix || model.byte_fallback) return undefined
  if (decoder?.type !== 'ByteLevel' || (normalizer && normalizer.type !== 'NFC')) return undefined
  if (added.some((token) => token.single_word || token.lstrip || token.rstrip || (token.normalized && normalizer) || token.content === '')) return undefined
  const steps = cut?.type === 'Sequence' ? (cut.pretokenizers ?? []) : cut ? [cut] : []
  const last = steps.at(-1)
  if (last?.type !== 'ByteLevel' || last.add_prefix_space) return undefined
  const before = steps.slice(0, -1)
  if (before.some((step) => !['Split', 'Digits', 'Punctuation'].includes(step.type ?? ''))) return undefined
  const byPattern: Cut | undefined = last.use_regex === false ? undefined : (text) => text.match(splitPatterns.r50k()) ?? []
  if (before.length === 0) return byPattern ?? ((text) => [text])
  const library = libraryOf({ type: 'Sequence', pretokenizers: before } as PreTokenizer)
  const { pre_tokenizer: preTokenizer } = library as unknown as { pre_tokenizer: { pre_tokenize(text: string): string[] } }
  const byLibrary: Cut = (text) => preTokenizer.pre_tokenize(text)
  return byPattern ? (text) => byLibrary(text).flatMap(byPattern) : byLibrary
}

/** A byte-level byte-pair tokenizer of Hugging Face: GPT-2, Llama 3, Qwen and most others of late. */
export class ByteLevelTokenizer implements Tokenizer {
  readonly name: string
  readonly hash: string
  readonly vocabularySize: number
  readonly specialIds: ReadonlySet<number>
  readonly splitsAtSpaces?: true
  chat?: (messages: readonly { role: string; content: string }[]) => string
  readonly #table: RankTable
  readonly #pairs: BytePairs
  readonly #cut: Cut
  readonly #wholePieces: boolean
  readonly #normalise: boolean
  readonly #added: ReadonlyMap<string, number>
  readonly #addedPattern: RegExp | undefined
  readonly #addedBytes: ReadonlyMap<number, Uint8Array>
  readonly #kept = new Map<string, readonly number[]>()
  readonly #encoder = new TextEncoder()
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  constructor(name: string, hash: string, json: ByteLevelJson, model: ByteLevelModel, cut: Cut) {
    this.name = name
    this.hash = hash
    this.#table = model.table
    this.#pairs = new BytePairs(model.table, model.order)
    this.#cut = cut
    this.#wholePieces = json.model?.ignore_merges ?? false
    this.#normalise = json.normalizer?.type === 'NFC'
    const added = json.added_tokens ?? []
    this.#added = new Map(added.map((token) => [token.content, token.id]))
    this.#addedBytes = new Map(added.map((token) => [token.id, this.#encoder.encode(token.content)]))
    // The longest of those that begin at a place.
    const contents = [...this.#added.keys()].sort((a, b) => b.length - a.length)
    this.#addedPattern = contents.length === 0 ? undefined : new RegExp(contents.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
    this.vocabularySize = Math.max(model.table.size, ...added.map((token) => token.id + 1))
    const special = new Set(added.filter((token) => token.special).map((token) => token.id))
    const { starts, size } = model.table
    for (let id = 0; id < this.vocabularySize; id++) if (!this.#addedBytes.has(id) && (id >= size || starts[id] === starts[id + 1])) special.add(id)
    this.specialIds = special
    if (cutsAtSpaces(cut)) this.splitsAtSpaces = true
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
    const { bytes, starts } = this.#table
    const parts = ids.map((id) => this.#addedBytes.get(id) ?? bytes.subarray(starts[id], starts[id + 1]))
    return this.#decoder.decode(Buffer.concat(parts))
  }

  #run(text: string, out: number[] | undefined): number {
    if (!this.#addedPattern) return this.#plain(text, out)
    let count = 0
    let from = 0
    for (const { 0: token, index } of text.matchAll(this.#addedPattern)) {
      count += this.#plain(text.slice(from, index), out) + 1
      out?.push(this.#added.get(token)!)
      from = index + token.length
    }
    return count + this.#plain(from === 0 ? text : text.slice(from), out)
  }

  /** Text without added tokens. */
  #plain(text: string, out: number[] | undefined): number {
    if (text === '') return 0
    let count = 0
    for (const piece of this.#cut(this.#normalise ? text.normalize('NFC') : text)) count += this.#piece(piece, out)
    return count
  }

  #piece(piece: string, out: number[] | undefined): number {
    const known = this.#kept.get(piece)
    if (known) {
      if (out) for (const id of known) out.push(id)
      return known.length
    }
    const pairs = this.#pairs
    pairs.reserve(piece.length * 3)
    const length = this.#encoder.encodeInto(piece, pairs.piece).written
    const ids: number[] = []
    const whole = this.#wholePieces && length <= this.#table.longest ? pairs.find(0, length) : -1
    if (whole >= 0) ids.push(whole)
    else if (length > 0) pairs.merge(length, ids)
    if (length <= this.#table.longest) {
      if (this.#kept.size >= KEPT) this.#kept.clear()
      this.#kept.set(piece, ids)
    }
    if (out) for (const id of ids) out.push(id)
    return ids.length
  }
}

/** Whether a piece begins at every space that a letter follows; cuts know classes of characters, not words. */
function cutsAtSpaces(cut: Cut): boolean {
  const probe = 'Ab cd, ef. Gh Ij, Kl. m n, o. P q'
  return cut(probe).every((piece) => piece.lastIndexOf(' ') <= 0)
}
