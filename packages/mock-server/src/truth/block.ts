import type { TruthEntry } from './entry.js'
import type { Ending, RareFacts, TruthFacts } from './record.js'

/** Records in a block. */
export const BLOCK_ROWS = 4096

/** The facts that are numbers. A column each would be clearer, and a row of them is faster to write. */
const NUMBERS = ['ordinal', 'connection', 'onConnection', 'arrivalMs', 'endMs', 'headBeforeUs', 'inFlight', 'promptChars', 'promptTokens', 'cachedTokens', 'status', 'tokensPlanned', 'tokens', 'events'] as const
const WIDTH = NUMBERS.length

/**
 * Truth records packed into typed arrays. As one object each, with its strings, they would have the garbage collector
 * copy half a kilobyte per request, and that costs more than all else that is done for the truth.
 */
export class TruthBlock {
  #rows = 0
  readonly #numbers = new Float64Array(BLOCK_ROWS * WIDTH)
  /** Entries of requests that have not ended. */
  readonly #open: (TruthEntry | undefined)[] = []
  readonly #times: Uint32Array[] = []
  readonly #timesFrom = new Uint32Array(BLOCK_ROWS)
  readonly #streams = new Uint8Array(BLOCK_ROWS)
  readonly #endings: Ending[] = []
  readonly #finishReasons: string[] = []
  readonly #faults: (readonly string[])[] = []
  readonly #rare: (RareFacts | undefined)[] = []
  /** Strings that many requests share, so that there is one of each. */
  readonly #paths: string[] = []
  readonly #models: string[] = []
  readonly #shared = new Map<string, string>()
  /** The ids one after the other; `#idEnds` says where each ends, request id and correlation id in turn. */
  #ids = Buffer.alloc(BLOCK_ROWS * 40)
  #idBytes = 0
  readonly #idEnds = new Uint32Array(BLOCK_ROWS * 4)

  get rows(): number {
    return this.#rows
  }

  get full(): boolean {
    return this.#rows === BLOCK_ROWS
  }

  /** Takes in a request that has just arrived; returns its row. */
  add(entry: TruthEntry): number {
    this.#open[this.#rows] = entry
    return this.#rows++
  }

  /** Packs the entry of a request that has ended. */
  pack(row: number, entry: TruthEntry): void {
    this.#open[row] = undefined
    this.#packNumbers(row * WIDTH, entry)
    this.#streams[row] = entry.stream ? 1 : 0
    this.#times[row] = entry.times.us
    this.#timesFrom[row] = entry.times.from
    this.#endings[row] = entry.ending
    this.#finishReasons[row] = entry.finishReason
    this.#faults[row] = entry.faults
    this.#rare[row] = entry.rare
    this.#paths[row] = this.#share(entry.path)
    this.#models[row] = this.#share(entry.model)
    this.#writeId(row * 2, entry.requestId)
    this.#writeId(row * 2 + 1, entry.correlationId)
  }

  /** In the order of `NUMBERS`; a loop over the names would take several times as long. */
  #packNumbers(at: number, entry: TruthEntry): void {
    const numbers = this.#numbers
    numbers[at] = entry.ordinal
    numbers[at + 1] = entry.connection
    numbers[at + 2] = entry.onConnection
    numbers[at + 3] = entry.arrivalMs
    numbers[at + 4] = entry.endMs
    numbers[at + 5] = entry.headBeforeUs
    numbers[at + 6] = entry.inFlight
    numbers[at + 7] = entry.promptChars
    numbers[at + 8] = entry.promptTokens
    numbers[at + 9] = entry.cachedTokens
    numbers[at + 10] = entry.status
    numbers[at + 11] = entry.tokensPlanned
    numbers[at + 12] = entry.tokens
    numbers[at + 13] = entry.events
  }

  /** The facts of the record in a row. */
  facts(row: number): TruthFacts {
    const open = this.#open[row]
    if (open) return open
    const numbers = Object.fromEntries(NUMBERS.map((name, column) => [name, this.#numbers[row * WIDTH + column]!])) as Record<(typeof NUMBERS)[number], number>
    const from = this.#timesFrom[row]!
    return {
      ...numbers,
      requestId: this.#readId(row * 2),
      correlationId: this.#readId(row * 2 + 1),
      path: this.#paths[row]!,
      model: this.#models[row]!,
      stream: this.#streams[row] === 1,
      ending: this.#endings[row]!,
      finishReason: this.#finishReasons[row]!,
      faults: this.#faults[row]!,
      rare: this.#rare[row],
      sentUs: this.#times[row]!.slice(from, from + numbers.events),
    }
  }

  #share(text: string): string {
    const known = this.#shared.get(text)
    if (known !== undefined) return known
    this.#shared.set(text, text)
    return text
  }

  #writeId(index: number, id: string): void {
    const needed = this.#idBytes + id.length
    if (needed > this.#ids.length) this.#ids = Buffer.concat([this.#ids], Math.max(needed, this.#ids.length * 2))
    this.#idEnds[index * 2] = this.#idBytes
    this.#ids.write(id, this.#idBytes, 'latin1')
    this.#idBytes = needed
    this.#idEnds[index * 2 + 1] = needed
  }

  #readId(index: number): string {
    return this.#ids.toString('latin1', this.#idEnds[index * 2], this.#idEnds[index * 2 + 1])
  }
}
