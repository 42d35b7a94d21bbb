import { OUTCOMES, type Endpoint, type Outcome, type RequestError, type Tokenizer, type TransportFailure } from '@aiperf/core'
import { ResponseReader } from '../decode/response.js'
import { isRedirect } from '../decode/status.js'
import { END_FIELDS, END_INDEX, ENTRY, readArena, STOP, type ArenaEntry, type EndField } from '../shared/arena.js'
import { PHASE } from '../shared/words.js'
import { UNCOUNTED } from '../store/layout.js'
import type { Store } from '../store/reader.js'
import { ColumnBuilder } from './columns.js'
import { LiveStatistics } from './live.js'
import { countTokens } from './tokens.js'

const OUTCOME_INDEX = Object.fromEntries(OUTCOMES.map((name, i) => [name, i])) as Record<Outcome, number>
const COPIED = ['user', 'dueNs', 'claimedNs', 'dispatchedNs', 'writtenNs', 'assignedNs', 'dnsNs', 'tcpNs', 'tlsNs', 'firstByteNs',
  'connection', 'reused', 'retried', 'bytesSent', 'requestedTokens', 'cancelAtNs', 'phase', 'session', 'conversation', 'turn',
  'worker', 'url', 'model'] as const satisfies readonly EndField[]

export interface RecorderSetup {
  id: number
  endpoint: Endpoint
  store: Store
  tokenizer: Tokenizer | undefined
  streaming: boolean
  useServerTokenCount: boolean
  perChunkUsage: boolean
  /** Words of each phase, by index. */
  phaseWords: Int32Array[]
  flush(columns: ColumnBuilder): void
  /** Called after each small piece of work, where workers have a right of way. */
  giveWay: (() => void) | undefined
}

/** Entries of which an arena is read without giving way; the end of a request is as much work. */
const ENTRIES_A_PIECE = 32

/** Turns arenas into rows: decodes frames, counts tokens, fills columns. Opens no socket. */
export class Recorder {
  readonly live = new LiveStatistics()
  readonly #setup: RecorderSetup
  readonly #open = new Map<number, ResponseReader>()
  readonly #idle: ResponseReader[] = []
  readonly #inputs = new Map<number, number>()
  readonly #columns = new ColumnBuilder()
  readonly #each = (entry: ArenaEntry): void => this.#entry(entry)
  readonly #none: ResponseReader

  constructor(setup: RecorderSetup) {
    this.#setup = setup
    this.#none = this.#reader()
  }

  #reader(): ResponseReader {
    const { endpoint, tokenizer, perChunkUsage } = this.#setup
    return new ResponseReader(endpoint, { keepText: tokenizer !== undefined, perChunkUsage })
  }

  read(buffer: ArrayBuffer, used: number): void {
    this.#setup.giveWay?.()
    readArena(buffer, used, this.#each)
  }

  #entries = 0

  #entry(entry: ArenaEntry): void {
    if (this.#setup.giveWay !== undefined && (entry.kind === ENTRY.end || ++this.#entries % ENTRIES_A_PIECE === 0)) this.#setup.giveWay()
    if (entry.kind === ENTRY.bytes) this.#open.get(entry.ordinal)?.bytes(entry.payload, entry.ns)
    else if (entry.kind === ENTRY.head) {
      const reader = this.#idle.pop() ?? this.#reader()
      reader.begin(this.#setup.streaming)
      reader.head(entry.aux, contentTypeOf(entry.payload), entry.ns)
      if (isRedirect(entry.aux)) reader.location = locationOf(entry.payload)
      this.#open.set(entry.ordinal, reader)
    } else if (entry.kind === ENTRY.end) this.#end(entry)
    else if (entry.kind === ENTRY.input) this.#inputs.set(entry.ordinal, this.#countInput(entry.payload))
  }

  #countInput(body: Uint8Array): number {
    const { tokenizer, endpoint } = this.#setup
    if (!tokenizer) return Number.NaN
    return tokenizer.count(endpoint.inputTexts(JSON.parse(Buffer.from(body).toString('utf8'))).join(' '))
  }

  /** Of a body that was ready before it was sent. */
  #inputTokens(row: number): number {
    const { store } = this.#setup
    const known = store.turn(row, 'inputTokens')
    if (known !== UNCOUNTED) return known
    const body = store.body(row)
    const counted = body ? this.#countInput(body) : Number.NaN
    store.keepInputTokens(row, counted)
    return counted
  }

  #end(entry: ArenaEntry): void {
    const { store, phaseWords, id } = this.#setup
    const facts = entry.numbers(END_FIELDS.length)
    const get = (field: EndField): number => facts[END_INDEX[field]]!
    let reader = this.#open.get(entry.ordinal)
    if (reader) this.#open.delete(entry.ordinal)
    else {
      reader = this.#none
      reader.begin(this.#setup.streaming)
    }
    const tail = entry.payload.subarray(END_FIELDS.length * 8)
    const failure = tail.length > 0 ? (JSON.parse(Buffer.from(tail).toString('utf8')) as TransportFailure) : undefined
    if (!failure) reader.end(entry.ns)
    const { outcome, error } = ending(reader, failure, get('stop'))

    const columns = this.#columns
    columns.set('ordinal', entry.ordinal)
    for (const field of COPIED) columns.set(field, get(field))
    columns.set('recorder', id)
    columns.set('headNs', reader.headNs)
    columns.set('firstTokenNs', reader.firstTokenNs)
    columns.set('firstOutputNs', reader.firstOutputNs)
    columns.set('lastTokenNs', reader.lastTokenNs)
    columns.set('endNs', entry.ns)
    columns.set('bytesReceived', reader.bodyBytes)
    columns.set('reads', reader.reads)
    columns.set('status', reader.status)
    columns.set('outcome', OUTCOME_INDEX[outcome])
    columns.set('streaming', this.#setup.streaming ? 1 : 0)
    columns.set('streamed', reader.streamed ? 1 : 0)
    columns.set('frames', reader.frames)
    columns.set('malformed', reader.malformed)
    columns.set('contentEvents', reader.contentEvents)
    const row = store.row(get('conversation'), get('turn'))
    columns.set('images', store.turn(row, 'images'))
    columns.set('audioSeconds', store.turn(row, 'audioSeconds'))
    columns.set('prefixHitBlocks', store.turn(row, 'prefixHitBlocks'))
    columns.set('prefixBlocks', store.turn(row, 'prefixBlocks'))
    const input = this.#inputs.get(entry.ordinal)
    if (input !== undefined) this.#inputs.delete(entry.ordinal)
    const outputTokens = countTokens(columns, reader, input ?? this.#inputTokens(row), this.#setup)
    columns.commit(reader.tokenNs, reader.contentEvents, reader.tokenCounts, reader.finishReason, error, reader.fields)

    const words = phaseWords[get('phase')]!
    Atomics.add(words, PHASE.recorded, 1)
    const failed = error !== undefined && outcome !== 'cancelled' && outcome !== 'censored'
    if (failed) Atomics.add(words, PHASE.failed, 1)
    if (outcome === 'cancelled') Atomics.add(words, PHASE.cancelled, 1)
    if (outcome === 'censored') Atomics.add(words, PHASE.censored, 1)
    if (get('retried') === 1) Atomics.add(words, PHASE.retried, 1)
    this.live.record(get('phase'), reader, get('dueNs'), get('dispatchedNs'), outputTokens, failed ? error : undefined)
    if (reader !== this.#none) this.#idle.push(reader)
    if (columns.full) this.flush()
  }

  /** Writes the rows so far. */
  flush(): void {
    if (this.#columns.rows === 0) return
    this.#setup.flush(this.#columns)
    this.#columns.clear()
  }
}

/** Where the raw headers of a head send the client; empty when they do not say. */
function locationOf(payload: Uint8Array): string {
  const headers = JSON.parse(Buffer.from(payload.subarray(payload.indexOf(10) + 1)).toString('latin1')) as string[]
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'location')
  return at < 0 ? '' : headers[at + 1]!
}

/** Content type without parameters, lower case; the payload is its header value, a line feed, then raw headers. */
function contentTypeOf(payload: Uint8Array): string {
  const end = payload.indexOf(10)
  const text = Buffer.from(payload.buffer as ArrayBuffer, payload.byteOffset, end < 0 ? payload.length : end).toString('latin1')
  const semicolon = text.indexOf(';')
  return (semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase()
}

function ending(reader: ResponseReader, failure: TransportFailure | undefined, stop: number): { outcome: Outcome; error?: RequestError } {
  if (!failure) return reader.outcome()
  if (failure.category === 'cancelled') {
    if (stop === STOP.policy)
      return { outcome: 'cancelled', error: { code: 499, type: 'RequestCancellationError', message: 'cancelled by the client as the run asked for', category: 'cancelled' } }
    return { outcome: 'censored', error: { code: 499, type: 'Unfinished', message: 'not finished when the run or phase ended', category: 'censored' } }
  }
  if (reader.error) return reader.outcome()
  // The answer's own end came: what broke afterwards is not part of it.
  if (reader.streamed && (reader.finishReason !== '' || (reader.done && reader.contentEvents > 0))) return reader.outcome()
  const outcome: Outcome = failure.category === 'timeout' ? 'timeout' : 'connection'
  return { outcome, error: { type: failure.code || failure.category, message: failure.message, category: outcome } }
}
