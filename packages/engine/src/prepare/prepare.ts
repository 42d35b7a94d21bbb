import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { AiperfError, createRandom, markerTokens, withCacheBust, withSystemPrompt, type DatasetMeta, type Endpoint, type EndpointMeta, type RunModel, type Session, type Tokenizer, type Turn, type WireRequest } from '@aiperf/core'
import { chooseLoader, DatasetReport, openSource, type Host } from '@aiperf/core/host'
import type { DatasetSizes, PrepareReport } from '../control/messages.js'
import type { StoreShared } from '../store/layout.js'
import { StoreWriter } from '../store/writer.js'
import { PrefixHits } from './prefix.js'

export interface PrepareInput {
  host: Host
  model: RunModel
  seed: number
  endpoint: Endpoint
  tokenizer(): Promise<Tokenizer>
  progress(what: string, done: number, total?: number): void
}

/**
 * Makes the dataset: loads sessions, encodes every body that can be known before the run, counts its input tokens, and
 * puts all of it into shared memory.
 */
export async function prepare(input: PrepareInput): Promise<{ shared: StoreShared; report: PrepareReport }> {
  const { host, model, seed, endpoint, progress } = input
  const found = await chooseLoader(host, model.dataset)
  const meta = found.meta as unknown as DatasetMeta
  const endpointMeta = host.find('endpoint', model.endpoint.type).meta as unknown as EndpointMeta
  const { cacheBust } = model.dataset
  const notices: string[] = []
  const entries = entryCounts(model, meta, (message) => notices.push(message))
  const report = new DatasetReport(model.dataset.onBadLine, (message) => notices.push(message), progress)
  const loader = await host.activate('dataset_loader', found.name, {
    name: found.name,
    options: model.dataset.options,
    random: (name) => createRandom(seed, name),
    tokenizer: input.tokenizer,
    entries: entries.profiling + entries.warmup,
    ...(cacheBust === 'none' || cacheBust.startsWith('warmup')
      ? {}
      : { reserved: async () => ({ where: cacheBust.startsWith('system') ? ('system' as const) : ('first-turn' as const), tokens: markerTokens(cacheBust, counter(await input.tokenizer())) }) }),
    fixedSchedule: model.phases.some((phase) => phase.mode === 'fixed_schedule'),
    models: model.models,
    endpoint: { type: model.endpoint.type, media: endpointMeta.media, consumesSystemMessage: endpointMeta.consumesSystemMessage ?? false, takesText: endpointMeta.tokenizesInput },
  })
  const systemPrompt = await systemPromptOf(model)
  const writer = new StoreWriter()
  const encoder = new SessionEncoder(model, endpoint, writer, endpointMeta, input.tokenizer, seed)
  const { path, records } = model.dataset
  const source = openSource({ ...(path === undefined ? {} : { path }), ...(records === undefined ? {} : { records }) }, report)
  const total = meta.source === 'generated' ? entries.profiling + entries.warmup : undefined
  let last = performance.now()
  for await (const session of loader.load(source, report)) {
    await encoder.add(withCacheBust(systemPrompt === undefined ? session : withSystemPrompt(session, systemPrompt), cacheBust))
    if (performance.now() - last > 200) {
      last = performance.now()
      progress('dataset', writer.sessionCount, total)
    }
  }
  report.finish()
  if (writer.sessionCount === 0)
    throw new AiperfError('E_DATASET', `The dataset ${path ?? found.name} holds no session that could be sent`, {
      hint: report.counts.skipped > 0 ? `${report.counts.skipped} entries were left out: ${Object.keys(report.counts.reasons).join('; ')}` : 'give a file with at least one entry',
    })
  const sizes = split(entries, meta, writer.sessionCount)
  return {
    shared: writer.finish(encoder.wire()),
    report: {
      loader: found.name,
      sessions: writer.sessionCount,
      turns: writer.turnCount,
      badLines: report.counts.bad,
      skipped: report.counts.skipped,
      ...(report.counts.skipped > 0 ? { skippedReasons: report.counts.reasons } : {}),
      ...(report.counts.provenance.length > 0 ? { provenance: report.counts.provenance } : {}),
      hash: writer.hash(),
      ...(path === undefined ? {} : { source: path }),
      sizes,
      notices,
      hasDelays: encoder.hasDelays,
      maxTurns: encoder.maxTurns,
    },
  }
}

const counter = (tokenizer: Tokenizer) => (text: string) => tokenizer.count(text)

/** The system message that the user gives for all conversations. */
async function systemPromptOf({ dataset }: RunModel): Promise<string | undefined> {
  if (dataset.systemPromptFile === undefined) return dataset.systemPrompt
  let bytes: Buffer
  try {
    bytes = await readFile(dataset.systemPromptFile)
  } catch (error) {
    throw new AiperfError('E_INPUT_FILE', `--system-prompt-file: ${dataset.systemPromptFile} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  if (!isUtf8(bytes) || text.trim() === '') throw new AiperfError('E_INPUT_FILE', `--system-prompt-file: expected UTF-8 text in ${dataset.systemPromptFile}, got ${isUtf8(bytes) ? 'none' : 'other bytes'}`)
  return text
}

/** Entries that follow from a count of requests alone; beyond them prompts repeat, unless the user asks for more. */
const MOST_IMPLIED = 10_000
const DEFAULT_ENTRIES = 100

/** How many entries a generator is asked for: enough for profiling, and some of its own for warm-up. */
function entryCounts(model: RunModel, meta: DatasetMeta, notice: (message: string) => void): DatasetSizes {
  const of = (kind: 'warmup' | 'profiling'): number =>
    Math.max(0, ...model.phases.filter((p) => p.kind === kind).map((p) => p.sessions ?? p.requests ?? 0))
  const wanted = of('profiling') || DEFAULT_ENTRIES
  const profiling = model.dataset.entries ?? Math.min(wanted, MOST_IMPLIED)
  const generated = meta.source === 'generated'
  if (generated && profiling < wanted && model.dataset.entries === undefined)
    notice(`${profiling} prompts are generated and used again in turn; --num-dataset-entries ${wanted} makes every request's prompt its own`)
  const hasWarmup = model.phases.some((p) => p.kind === 'warmup')
  const warmup = !generated || !hasWarmup ? 0 : Math.min(of('warmup') || DEFAULT_ENTRIES, Math.max(profiling, DEFAULT_ENTRIES))
  return { profiling, warmup }
}

function split(entries: DatasetSizes, meta: DatasetMeta, sessions: number): DatasetSizes {
  if (meta.source !== 'generated' || sessions < entries.profiling + entries.warmup) return { profiling: sessions, warmup: 0 }
  return { profiling: sessions - entries.warmup, warmup: entries.warmup }
}

class SessionEncoder {
  hasDelays = false
  maxTurns = 0
  readonly #prefix = new PrefixHits()
  readonly #model: RunModel
  readonly #endpoint: Endpoint
  readonly #writer: StoreWriter
  readonly #meta: EndpointMeta
  readonly #tokenizer: () => Promise<Tokenizer>
  readonly #seed: number
  #wire: StoreShared['wire'] | undefined

  constructor(model: RunModel, endpoint: Endpoint, writer: StoreWriter, meta: EndpointMeta, tokenizer: () => Promise<Tokenizer>, seed: number) {
    this.#model = model
    this.#endpoint = endpoint
    this.#writer = writer
    this.#meta = meta
    this.#tokenizer = tokenizer
    this.#seed = seed
  }

  wire(): StoreShared['wire'] {
    return this.#wire ?? { method: 'POST', contentType: 'application/json', accept: 'application/json', headers: [] }
  }

  async add(session: Session): Promise<void> {
    const writer = this.#writer
    const row = writer.addSession(session.id, session.turns.length)
    this.maxTurns = Math.max(this.maxTurns, session.turns.length)
    this.#chooseModel(session, row)
    const mode = session.contextMode ?? 'deltas_without_responses'
    const allRaw = session.turns.every((turn) => turn.rawPayload !== undefined)
    const live = mode === 'deltas_without_responses' && session.turns.length > 1 && !allRaw
    for (const [k, turn] of session.turns.entries()) {
      const at = writer.addTurn()
      this.#numbers(at, turn)
      if (live && k > 0) continue
      const turns = mode === 'message_array_with_responses' ? [turn] : session.turns.slice(0, k + 1)
      const wire = turn.rawPayload === undefined ? this.#endpoint.encode({ turns, replies: [], session }) : this.#verbatim(turn)
      this.#keepWire(wire)
      const place = writer.bytes(wire.body)
      writer.setTurn(at, 'segment', place.segment)
      writer.setTurn(at, 'offset', place.offset)
      writer.setTurn(at, 'length', place.length)
      writer.setTurn(at, 'inputTokens', await this.#inputTokens(turn, wire))
    }
    if (live) {
      const place = writer.bytes(Buffer.from(JSON.stringify(session)))
      writer.setSession(row, 'segment', place.segment)
      writer.setSession(row, 'offset', place.offset)
      writer.setSession(row, 'length', place.length)
    }
  }

  /** Several models: one per session, so that no conversation changes its model. */
  #chooseModel(session: Session, row: number): void {
    const { models, modelSelection } = this.#model
    if (models.length < 2) return
    const chosen = modelSelection === 'random' ? createRandom(this.#seed, 'composer.turn.model_selection').fork(row).integer(0, models.length - 1) : row % models.length
    for (const turn of session.turns) turn.model ??= models[chosen]!
  }

  #verbatim(turn: Turn): WireRequest {
    return {
      method: 'POST',
      contentType: 'application/json',
      accept: this.#model.endpoint.streaming ? 'text/event-stream' : 'application/json',
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

  #numbers(at: number, turn: Turn): void {
    const writer = this.#writer
    const set = (field: Parameters<StoreWriter['setTurn']>[1], value: number | undefined): void => {
      if (value !== undefined) writer.setTurn(at, field, value)
    }
    set('requestedTokens', turn.maxTokens)
    set('timestampMs', turn.timestampMs)
    set('delayMs', turn.delayMs)
    if (turn.delayMs !== undefined && turn.delayMs > 0) this.hasDelays = true
    set('images', turn.images?.reduce((n, item) => n + item.contents.length, 0))
    set('audioSeconds', turn.audioSeconds)
    set('model', turn.model === undefined ? 0 : Math.max(0, this.#model.models.indexOf(turn.model)))
    if (turn.hashIds) {
      const { hit, blocks } = this.#prefix.add(turn.hashIds)
      set('prefixHitBlocks', hit)
      set('prefixBlocks', blocks)
    }
    if (turn.extraHeaders) {
      const place = writer.bytes(Buffer.from(JSON.stringify(Object.entries(turn.extraHeaders).flat())))
      writer.setTurn(at, 'headersSegment', place.segment)
      writer.setTurn(at, 'headersOffset', place.offset)
      writer.setTurn(at, 'headersLength', place.length)
    }
  }

  async #inputTokens(turn: Turn, wire: WireRequest): Promise<number> {
    if (!this.#meta.tokenizesInput || this.#model.endpoint.useServerTokenCount) return turn.inputTokens ?? Number.NaN
    if (!/json/.test(wire.contentType)) return turn.inputTokens ?? Number.NaN
    const body = JSON.parse(Buffer.from(wire.body.buffer as ArrayBuffer, wire.body.byteOffset, wire.body.length).toString('utf8'))
    const texts = this.#endpoint.inputTexts(body)
    // A prompt whose length the loader made exact, sent alone, need not be counted again.
    if (turn.inputTokens !== undefined && texts.length === 1 && turn.texts?.length === 1 && turn.texts[0]!.contents.length === 1 && turn.texts[0]!.contents[0] === texts[0])
      return turn.inputTokens
    return (await this.#tokenizer()).count(texts.join(' '))
  }
}
