import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AiperfError, createRandom, markerTokens, type DatasetLoader, type DatasetMeta, type Endpoint, type EndpointMeta, type RunModel, type Session, type Tokenizer } from '@aiperf/core'
import { chooseLoader, DatasetReport, openSource, type Host } from '@aiperf/core/host'
import type { DatasetSizes, PrepareReport } from '../control/messages.js'
import { WANTED_WORDS, type StoreShared } from '../store/layout.js'
import { StoreWriter } from '../store/writer.js'
import { BodyMaker, type UnmadeSession } from './body-maker.js'
import { problemLoader } from './problems.js'
import { SessionEncoder } from './session-encoder.js'

export interface PrepareInput {
  host: Host
  model: RunModel
  seed: number
  /** Folder for the file of bodies, should there be too many for memory. */
  folder: string
  phaseWords: readonly Int32Array[]
  endpoint: Endpoint
  tokenizer(): Promise<Tokenizer>
  progress(what: string, done: number, total?: number): void
}

/**
 * Made-up texts of more tokens than this are not all made before the run, but ahead of need while it goes on: see
 * `BodyMaker`. It is half a second's work, and some 30 MB.
 */
const MADE_BEFORE_TOKENS = 6_000_000

const PROGRESS_MS = 200

export interface Prepared {
  shared: StoreShared
  report: PrepareReport
  /** Makes the bodies that are not there yet; undefined when all are. */
  maker?: BodyMaker
  /** What the bodies take, bytes; undefined while some are not made. */
  bytes?: number
  close(): void
}

/**
 * Makes the dataset: loads sessions, encodes every body that can be known before the run, counts its input tokens, and
 * puts all of it where every thread can read it.
 */
export async function prepare(input: PrepareInput): Promise<Prepared> {
  const { host, model, seed, endpoint, progress } = input
  const found = model.accuracy ? host.find('accuracy_benchmark', model.accuracy.benchmark) : await chooseLoader(host, model.dataset)
  const meta = found.meta as unknown as DatasetMeta
  const endpointMeta = host.find('endpoint', model.endpoint.type).meta as unknown as EndpointMeta
  const notices: string[] = []
  const entries = entryCounts(model, meta)
  const report = new DatasetReport(model.dataset.onBadLine, (message) => notices.push(message), progress)
  const loader = model.accuracy ? await problemLoader(host, model, endpointMeta, seed, input.folder) : await datasetLoader(input, found.name, endpointMeta, entries)
  const writer = new StoreWriter(join(input.folder, 'bodies.bin'))
  const encoder = new SessionEncoder({ model, endpoint, meta: endpointMeta, tokenizer: input.tokenizer, seed, systemPrompt: await systemPromptOf(model) })
  const unmade = new Map<number, UnmadeSession>()
  let unmadeTokens = 0
  const { path, records } = model.dataset
  const source = openSource({ ...(path === undefined ? {} : { path }), ...(records === undefined ? {} : { records }) }, report)
  const total = meta.source === 'generated' ? entries.profiling + entries.warmup : undefined
  let last = performance.now()
  const shown = (what: string, done: number, of?: number): void => {
    if (performance.now() - last <= PROGRESS_MS) return
    last = performance.now()
    progress(what, done, of)
  }
  const most = total === undefined ? (model.dataset.entries ?? Infinity) : Infinity
  for await (const session of loader.load(source, report)) {
    if (writer.sessionCount === most) {
      const [one, many] = model.accuracy ? ['problem of the benchmark', 'problems of the benchmark'] : ['session of the dataset', 'sessions of the dataset']
      notices.push(`the first ${most === 1 ? `${one} is` : `${most} ${many} are`} used, as --num-dataset-entries says`)
      break
    }
    const firstTurn = writer.turnCount
    const row = encoder.addRows(session, writer)
    if (isMadeWhenRead(session)) {
      unmade.set(row, { session, firstTurn })
      unmadeTokens += session.turns.reduce((sum, turn) => sum + (turn.inputTokens ?? 0), 0)
    } else await encoder.addBodies(session, row, firstTurn, writer)
    shown('dataset', writer.sessionCount, total)
  }
  report.finish()
  if (writer.sessionCount === 0)
    throw new AiperfError('E_DATASET', `The dataset ${path ?? found.name} holds no session that could be sent`, {
      hint: report.leftOut() ?? (model.accuracy ? 'it needs at least one problem' : 'give a file with at least one entry'),
    })
  const sizes = split(entries, meta, writer.sessionCount)
  const { preparation = 'auto' } = model.dataset
  if (preparation === 'before' || (preparation === 'auto' && unmadeTokens <= MADE_BEFORE_TOKENS)) {
    let made = 0
    for (const [row, { session, firstTurn }] of unmade) {
      await encoder.addBodies(session, row, firstTurn, writer)
      unmade.delete(row)
      shown('prompts', ++made, writer.sessionCount)
    }
  } else if (unmade.size > 0 && preparation === 'auto')
    notices.push(`the prompts of this dataset, ${Math.round(unmadeTokens / 1e6).toLocaleString('en-US')} million tokens, are made while the run goes on, ahead of need; --dataset-preparation before makes all of them first`)
  const { shared, maker } = await finished(input, writer, encoder, unmade, sizes, [found.name, model.dataset.options])
  return {
    shared,
    ...(maker ? { maker } : { bytes: writer.bodyBytes }),
    close: () => writer.close(),
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

/** The loader that reads or makes the dataset. */
function datasetLoader(input: PrepareInput, name: string, endpointMeta: EndpointMeta, entries: DatasetSizes): Promise<DatasetLoader> {
  const { host, model, seed } = input
  const { cacheBust } = model.dataset
  return host.activate('dataset_loader', name, {
    name,
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
}

/** Whether the texts of a session are made when they are read, which costs more than all else that is known of it. */
const isMadeWhenRead = (session: Session): boolean => session.turns.some((turn) => Object.getOwnPropertyDescriptor(turn, 'texts')?.get !== undefined)

/** Freezes the store; bodies that are not made yet get a maker, which makes the first of them here. */
async function finished(input: PrepareInput, writer: StoreWriter, encoder: SessionEncoder, unmade: Map<number, UnmadeSession>, sizes: DatasetSizes, madeOf: unknown): Promise<{ shared: StoreShared; maker?: BodyMaker }> {
  if (unmade.size === 0) return { shared: writer.finish(encoder.wire) }
  const { host, model, seed, phaseWords } = input
  const tokenizer = await input.tokenizer()
  writer.describe(JSON.stringify([madeOf, seed, tokenizer.name, model.models, model.endpoint.type, model.endpoint.streaming]))
  for (const { session } of unmade.values()) writer.describe(JSON.stringify(session.turns.map(({ inputTokens, hashIds, maxTokens, timestampMs, delayMs, extraBody }) => [inputTokens, hashIds, maxTokens, timestampMs, delayMs, extraBody])))
  const made = new SharedArrayBuffer(4 * (writer.sessionCount + WANTED_WORDS))
  new Int32Array(made, 0, writer.sessionCount).fill(1)
  for (const row of unmade.keys()) new Int32Array(made)[row] = 0
  const shared = writer.finish(encoder.wire, made)
  const maker = new BodyMaker({ host, model, seed, sizes, phaseWords, encoder, shared, sink: writer.later(shared), unmade })
  await maker.begin()
  shared.wire = encoder.wire
  return { shared, maker }
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

/** Sessions that are generated when nothing says how many are sent. */
const DEFAULT_ENTRIES = 100

/** How many sessions a generator is asked for: one for each that a phase starts, and some of its own for warm-up. */
function entryCounts(model: RunModel, meta: DatasetMeta): DatasetSizes {
  const of = (kind: 'warmup' | 'profiling'): number =>
    Math.max(0, ...model.phases.filter((p) => p.kind === kind).map((p) => p.sessions ?? p.requests ?? 0)) || DEFAULT_ENTRIES
  const profiling = model.dataset.entries ?? of('profiling')
  const warmup = meta.source === 'generated' && model.phases.some((p) => p.kind === 'warmup') ? Math.min(of('warmup'), Math.max(profiling, DEFAULT_ENTRIES)) : 0
  return { profiling, warmup }
}

function split(entries: DatasetSizes, meta: DatasetMeta, sessions: number): DatasetSizes {
  if (meta.source !== 'generated' || sessions < entries.profiling + entries.warmup) return { profiling: sessions, warmup: 0 }
  return { profiling: sessions - entries.warmup, warmup: entries.warmup }
}
