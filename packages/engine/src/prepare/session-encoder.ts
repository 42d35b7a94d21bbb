import { createRandom, withCacheBust, withSystemPrompt, type Endpoint, type EndpointMeta, type RunModel, type Session, type Tokenizer, type Turn, type WireRequest } from '@aiperf/core'
import { UNCOUNTED, type StoreShared } from '../store/layout.js'
import type { BodySink, StoreWriter } from '../store/writer.js'
import { PrefixHits } from './prefix.js'

export interface EncoderSetup {
  model: RunModel
  endpoint: Endpoint
  meta: EndpointMeta
  tokenizer(): Promise<Tokenizer>
  seed: number
  /** The system message that the user gives for all conversations. */
  systemPrompt: string | undefined
}

/** Bodies whose tokens are counted before the run; those of a larger dataset are counted as they are recorded. It takes a second or two. */
const COUNTED_BEFORE_BYTES = 16 * 1024 * 1024

/** Turns sessions into rows of numbers and encoded bodies. */
export class SessionEncoder {
  hasDelays = false
  maxTurns = 0
  readonly #prefix = new PrefixHits()
  readonly #setup: EncoderSetup
  #wire: StoreShared['wire'] | undefined
  #countedBytes = 0
  /** Of each shape of request: whether the turn's own text is all that is counted. */
  readonly #ownTextAlone = new Map<string, boolean>()

  constructor(setup: EncoderSetup) {
    this.#setup = setup
  }

  get wire(): StoreShared['wire'] {
    return this.#wire ?? { method: 'POST', contentType: 'application/json', accept: 'application/json', headers: [] }
  }

  /** Adds a session's row and those of its turns: everything but bodies. Returns the row. */
  addRows(session: Session, writer: StoreWriter): number {
    const row = writer.addSession(session.id, session.turns.length)
    this.maxTurns = Math.max(this.maxTurns, session.turns.length)
    this.#chooseModel(session, row)
    for (const turn of session.turns) this.#numbers(writer.addTurn(), turn, writer)
    return row
  }

  /** Encodes the bodies of a session that can be known before the run, and counts their tokens. */
  async addBodies(given: Session, row: number, firstTurn: number, sink: BodySink): Promise<void> {
    const { model, endpoint, systemPrompt } = this.#setup
    const session = withCacheBust(systemPrompt === undefined ? given : withSystemPrompt(given, systemPrompt), model.dataset.cacheBust)
    const mode = session.contextMode ?? 'deltas_without_responses'
    const allRaw = session.turns.every((turn) => turn.rawPayload !== undefined)
    const live = mode === 'deltas_without_responses' && session.turns.length > 1 && !allRaw
    for (const [k, turn] of session.turns.entries()) {
      if (live && k > 0) break
      const turns = mode === 'message_array_with_responses' ? [turn] : session.turns.slice(0, k + 1)
      const wire = turn.rawPayload === undefined ? endpoint.encode({ turns, replies: [], session }) : this.#verbatim(turn)
      this.#keepWire(wire)
      const at = firstTurn + k
      sink.setTurn(at, 'inputTokens', await this.#inputTokens(turn, wire, `${turns.length} ${Object.keys(turn).join()} ${Object.keys(session).join()}`))
      const place = sink.bytes(wire.body)
      sink.setTurn(at, 'offset', place.offset)
      sink.setTurn(at, 'length', place.length)
      sink.setTurn(at, 'segment', place.segment)
    }
    if (live) {
      const place = sink.bytes(Buffer.from(JSON.stringify(session)))
      sink.setSession(row, 'offset', place.offset)
      sink.setSession(row, 'length', place.length)
      sink.setSession(row, 'segment', place.segment)
    }
  }

  /** Several models: one per session, so that no conversation changes its model. */
  #chooseModel(session: Session, row: number): void {
    const { model: { models, modelSelection }, seed } = this.#setup
    if (models.length < 2) return
    const chosen = modelSelection === 'random' ? createRandom(seed, 'composer.turn.model_selection').fork(row).integer(0, models.length - 1) : row % models.length
    for (const turn of session.turns) turn.model ??= models[chosen]!
  }

  #verbatim(turn: Turn): WireRequest {
    return {
      method: 'POST',
      contentType: 'application/json',
      accept: this.#setup.model.endpoint.streaming ? 'text/event-stream' : 'application/json',
      body: Buffer.from(JSON.stringify(turn.rawPayload)),
    }
  }

  #keepWire(wire: WireRequest): void {
    this.#wire ??= {
      method: wire.method,
      ...(wire.path === undefined ? {} : { path: wire.path }),
      contentType: wire.contentType,
      accept: wire.accept,
      headers: Object.entries(wire.headers ?? {}).flat(),
    }
  }

  #numbers(at: number, turn: Turn, writer: StoreWriter): void {
    const set = (field: Parameters<StoreWriter['setTurn']>[1], value: number | undefined): void => {
      if (value !== undefined) writer.setTurn(at, field, value)
    }
    set('requestedTokens', turn.maxTokens)
    set('timestampMs', turn.timestampMs)
    set('delayMs', turn.delayMs)
    if (turn.delayMs !== undefined && turn.delayMs > 0) this.hasDelays = true
    set('images', turn.images?.reduce((n, item) => n + item.contents.length, 0))
    set('audioSeconds', turn.audioSeconds)
    set('model', turn.model === undefined ? 0 : Math.max(0, this.#setup.model.models.indexOf(turn.model)))
    if (turn.hashIds) {
      const { hit, blocks } = this.#prefix.add(turn.hashIds)
      set('prefixHitBlocks', hit)
      set('prefixBlocks', blocks)
    }
    if (turn.extraHeaders) {
      const place = writer.small(Buffer.from(JSON.stringify(Object.entries(turn.extraHeaders).flat())))
      writer.setTurn(at, 'headersSegment', place.segment)
      writer.setTurn(at, 'headersOffset', place.offset)
      writer.setTurn(at, 'headersLength', place.length)
    }
  }

  /** `shape`: requests of one shape differ in their texts alone. */
  async #inputTokens(turn: Turn, wire: WireRequest, shape: string): Promise<number> {
    const { meta, model, endpoint, tokenizer } = this.#setup
    if (!meta.tokenizesInput || model.endpoint.useServerTokenCount) return turn.inputTokens ?? Number.NaN
    if (!/json/.test(wire.contentType)) return turn.inputTokens ?? Number.NaN
    // A prompt whose length the loader made exact, sent alone, need not be counted again.
    const own = turn.inputTokens !== undefined && turn.texts?.length === 1 && turn.texts[0]!.contents.length === 1 ? turn.texts[0]!.contents[0]! : undefined
    if (own !== undefined && this.#ownTextAlone.get(shape)) return turn.inputTokens!
    // Recorders count where answers have tokens too.
    const later = this.#countedBytes > COUNTED_BEFORE_BYTES && meta.producesTokens && model.dataset.preparation !== 'before'
    if (later && (own === undefined || this.#ownTextAlone.has(shape))) return UNCOUNTED
    const body = JSON.parse(Buffer.from(wire.body.buffer as ArrayBuffer, wire.body.byteOffset, wire.body.length).toString('utf8'))
    const texts = endpoint.inputTexts(body)
    if (own !== undefined && !this.#ownTextAlone.has(shape)) this.#ownTextAlone.set(shape, texts.length === 1 && texts[0] === own)
    if (own !== undefined && texts.length === 1 && texts[0] === own) return turn.inputTokens!
    this.#countedBytes += wire.body.length
    return (await tokenizer()).count(texts.join(' '))
  }
}
