import { randomBytes, randomInt } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AiperfError, type JsonObject, type LiveSnapshot, type PhaseInfo, type RunModel } from '@aiperf/core'
import { createHost, type Host } from '@aiperf/core/host'
import { JOURNAL } from '../journal/read.js'
import type { CalibrationResult } from '../calibrate/calibrate.js'
import { exportWith } from '../report/export.js'
import { loadMetrics } from '../report/metrics.js'
import { selectSources, startTelemetry, type Telemetry } from '../telemetry/index.js'
import { createNow, takeOrigin } from '../shared/clock.js'
import { Countdown, deferred } from '../shared/promises.js'
import { watchHealth, type Health } from '../shared/health.js'
import { PHASE_WORDS, RUN_WORDS, sharedWords } from '../shared/words.js'
import { Store } from '../store/reader.js'
import type { StoreShared } from '../store/layout.js'
import { createRunDirectory, linkRun } from './directory.js'
import { exitCode } from './exit-code.js'
import { ownHeaders } from './headers.js'
import { LiveBoard } from './live.js'
import { withLogFile } from './log-file.js'
import { addEnding, addPrepared, startManifest, unfinished, writeManifest } from './manifest.js'
import type { FromRecorder, FromWorker, PrepareReport, ThreadData } from './messages.js'
import { Phases } from './phases.js'
import { Servers } from './servers.js'
import type { MeasureContext, RunContext, RunOutcome } from './run-context.js'
import { threadCounts } from './sizes.js'
import { endThreads, indexForThreads, startThreads, type Threads } from './threads.js'
import { loadResult, type KeptManifest } from '../report/result.js'
import { WorkAhead } from './work-ahead.js'

const SNAPSHOT_MS = 250
const MOST_OPEN = 2048
/** How long a thread is waited for after another one failed. */
const DEAD_THREAD_MS = 2000

/** One run, from its threads to its files. */
export class Run {
  readonly #model: RunModel
  readonly #context: MeasureContext
  readonly #host: Host
  readonly #origin = takeOrigin()
  readonly #now = createNow(this.#origin)
  readonly #runWords = sharedWords(RUN_WORDS)
  readonly #phaseWords: Int32Array[]
  readonly #seed: number
  readonly #board = new LiveBoard()
  readonly #manifest: KeptManifest
  readonly #directory: string
  #threads!: Threads
  #phases!: Phases
  #telemetry!: Telemetry
  #stage: LiveSnapshot['stage'] = 'preparing'
  #fail!: (error: Error) => void
  readonly #failed = new Promise<never>((_, reject) => (this.#fail = reject))
  readonly #prepared = deferred<{ shared: StoreShared; report: PrepareReport }>()
  readonly #opened = new Countdown()
  readonly #finished = new Countdown()
  readonly #threadHealth: Health[] = []
  readonly #ahead: WorkAhead
  readonly #servers: Servers

  constructor(model: RunModel, context: MeasureContext, calibration?: CalibrationResult) {
    this.#model = model
    this.#host = createHost(context.index)
    this.#servers = new Servers(model, this.#host)
    this.#phaseWords = model.phases.map(() => sharedWords(PHASE_WORDS))
    this.#seed = model.runtime.seed ?? randomInt(2 ** 47)
    this.#failed.catch(() => {})
    const benchmarkId = randomBytes(6).toString('hex')
    const runHex = randomBytes(4).toString('hex')
    this.#manifest = startManifest({
      model, explicit: context.explicit, command: context.command, host: this.#host, benchmarkId, runHex, seed: this.#seed, unixNs: this.#origin.unixNs,
    })
    this.#manifest.notices.push(...(context.notices ?? []))
    if (context.sweep) this.#manifest.sweep = context.sweep
    if (calibration) this.#manifest.calibration = { ...calibration }
    this.#directory = createRunDirectory(model, this.#host, new Date(Number(this.#origin.unixNs / 1_000_000n)), benchmarkId)
    this.#context = { ...context, ui: withLogFile(context.ui, join(this.#directory, 'logs', 'aiperf.log'), context.command) }
    this.#ahead = new WorkAhead(model, this.#host, context.index, (message) => this.#context.ui.log('warn', message))
  }

  /** Runs to the end of the journal; returns the fault that ended it early, if one did and records were kept. */
  async measure(): Promise<AiperfError | undefined> {
    const watch = watchHealth('main', 0)
    // Other runs of this process are not this run's doing.
    const before = { cpu: process.cpuUsage(), ns: this.#now() }
    const ticker = setInterval(() => {
      this.#threads.giveWay?.()
      this.#show()
    }, SNAPSHOT_MS)
    this.#obeyInterrupt()
    const failure = await this.#playOrFail()
    clearInterval(ticker)
    this.#ahead.hurry()
    this.#stage = 'records'
    this.#show()
    const sentNs = this.#now()
    await this.#finishThreads(failure)
    const backlogSeconds = (this.#now() - sentNs) / 1e9
    for (const [i, integrity] of (await this.#ahead.integrities()).entries()) if (integrity !== undefined) this.#manifest.plugins[i]!.integrity = integrity
    const sealed = this.#seal(watch.read(), before, backlogSeconds, failure)
    this.#stage = 'exporting'
    this.#show()
    return sealed
  }

  #obeyInterrupt(): void {
    const { ui, interrupt } = this.#context
    const obey = (): void => {
      ui.log('warn', 'Stopping: nothing more is sent, results of what was measured are written. Interrupt again to stop at once.')
      this.#manifest.wasCancelled = true
      this.#phases.interrupt('interrupted')
      if (this.#manifest.phases.length === 0) this.#fail(new AiperfError('E_INTERRUPTED', 'Interrupted before the first request'))
    }
    if (interrupt.aborted) obey()
    interrupt.addEventListener('abort', obey, { once: true })
  }

  /** Measures. A fault ends the run; what was measured before it is kept. */
  async #playOrFail(): Promise<AiperfError | undefined> {
    try {
      await Promise.race([this.#play(), this.#failed])
      return undefined
    } catch (error) {
      this.#phases.interrupt('failed')
      if (this.#manifest.phases.length > 0) return error as AiperfError
      await Promise.all([endThreads(this.#threads), this.#telemetry.stop(), this.#context.ui.close()])
      throw error
    }
  }

  async #play(): Promise<void> {
    const { shared, report } = await this.#prepared.promise
    addPrepared(this.#manifest, report)
    for (const notice of report.notices) this.#context.ui.log('warn', notice)
    const store = new Store(shared)
    writeFileSync(join(this.#directory, JOURNAL, 'conversations.json'), JSON.stringify(Array.from({ length: store.size }, (_, i) => store.id(i))))
    const { workers, recorders, tellPacer } = this.#threads
    for (const worker of workers) worker.post({ type: 'store', shared, sizes: report.sizes })
    for (const recorder of recorders.slice(1)) recorder.post({ type: 'store', shared })
    tellPacer({ type: 'store', shared, sizes: report.sizes })
    await this.#servers.ready((m) => this.#context.ui.log('info', m), this.#context.interrupt)
    await Promise.all([...workers, ...recorders].map((thread) => thread.ready))
    await this.#phases.plan(store, report.sizes)
    await this.#telemetry.ready
    await this.#servers.resetKvCache()
    await this.#openConnections()
    const stopPreloading = this.#ahead.begin()
    const network = this.#servers.probeNetwork(join(this.#directory, JOURNAL), this.#now, this.#origin)
    linkRun(this.#model, this.#host, this.#directory)
    await this.#phases.play()
    stopPreloading()
    const rttNs = await network?.stop()
    if (rttNs !== undefined) this.#manifest.internal.networkRttNs = rttNs
    await this.#telemetry.stop()
  }

  /** Completes the manifest: from here on the directory alone describes the run. A full disk hides neither what failed first nor what was measured. */
  #seal(main: Health, before: { cpu: NodeJS.CpuUsage; ns: number }, backlogSeconds: number, failure: AiperfError | undefined): AiperfError | undefined {
    const manifest = this.#manifest
    // Only now have the recorders counted how every request ended.
    for (const run of this.#phases.runs) run.count()
    const { user, system } = process.cpuUsage(before.cpu)
    manifest.client = {
      threads: [main, ...this.#threadHealth] as unknown as JsonObject[],
      wallSeconds: (this.#now() - before.ns) / 1e9,
      cores: Number(manifest.host.cores),
      cpuSeconds: (user + system) / 1e6,
      backlogSeconds,
      maxRssBytes: process.resourceUsage().maxRSS * 1024,
    }
    addEnding(manifest, failure)
    try {
      writeManifest(this.#directory, manifest)
    } catch (error) {
      return failure ?? (error as AiperfError)
    }
    return failure
  }

  /** Evaluates the journal, without files. */
  async evaluate(): ReturnType<typeof loadResult> {
    await Promise.all([endThreads(this.#threads), this.#context.ui.close()])
    const metrics = await loadMetrics(this.#host, () => {})
    return loadResult(this.#directory, this.#host, metrics)
  }

  async export(failure: AiperfError | undefined, { console, print }: RunContext): Promise<RunOutcome> {
    const { ui, index } = this.#context
    const ending = endThreads(this.#threads)
    await ui.close()
    const tools = await this.#ahead.tools()
    const exported = await exportWith(this.#directory, { index, console, print, warn: (m) => ui.log('warn', m) }, tools)
    await ending
    const failures = [...(failure ? [failure] : []), ...exported.failures]
    return { directory: this.#directory, exitCode: exitCode(exported.result, failures, this.#model), result: exported.result, files: exported.files, failures }
  }

  /** Ends a run that never began, with its folder. */
  async discard(): Promise<void> {
    await Promise.all([endThreads(this.#threads), this.#telemetry.stop()])
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** Starts all threads; they load their code and make the dataset. */
  start(): void {
    const index = indexForThreads(this.#context.index)
    const counts = threadCounts(this.#model)
    const journal = join(this.#directory, JOURNAL)
    const base: ThreadData = {
      index,
      model: this.#model,
      origin: this.#origin,
      runHex: this.#manifest.internal.runHex,
      seed: this.#seed,
      runWords: this.#runWords,
      phaseWords: this.#phaseWords,
      urlWords: sharedWords(this.#model.endpoint.urls.length),
      journal,
    }
    const pacer = this.#model.phases.some((p) => p.mode !== 'concurrency')
    this.#threads = startThreads(base, { ...counts, pacer }, {
      worker: (id, message) => this.#hearWorker(id, message),
      recorder: (id, message) => this.#hearRecorder(id, message),
      pacer: (message) => this.#phases.hear(message),
      failed: (error) => this.#fail(error),
    })
    this.#threads.recorders[0]!.post({ type: 'prepare' })
    this.#telemetry = this.#startTelemetry(journal)
    this.#phases = new Phases({
      host: this.#host, model: this.#model, seed: this.#seed, threads: this.#threads, runWords: this.#runWords, phaseWords: this.#phaseWords,
      directory: this.#directory, now: this.#now, telemetry: this.#telemetry,
      hooks: this.#servers.hooks,
      changed: (info, state) => this.#phaseChanged(info, state),
    })
  }

  #startTelemetry(journal: string): Telemetry {
    const { index, ui } = this.#context
    const { urls, tls } = this.#model.endpoint
    return startTelemetry({
      index: indexForThreads(index),
      origin: this.#origin,
      journal,
      sources: selectSources(index, this.#model.telemetry),
      urls,
      headers: ownHeaders(this.#model, this.#host),
      tls,
      log: (level, message) => ui.log(level, message),
      live: (lines) => (this.#board.telemetry = lines),
    })
  }

  #phaseChanged(info: PhaseInfo, state: 'started' | 'ended'): void {
    this.#manifest.phases[info.index] = state === 'started' ? unfinished(info) : info
    if (state === 'started') this.#stage = info.kind
    // The last word on the phase, before the next one takes the view.
    else this.#show()
    writeManifest(this.#directory, this.#manifest)
  }

  async #openConnections(): Promise<void> {
    const { workers } = this.#threads
    const first = this.#model.phases[0]!.options as { concurrency?: number }
    const wanted = Math.min(MOST_OPEN, Number(first.concurrency ?? 8))
    this.#opened.start(workers.length)
    for (const worker of workers) worker.post({ type: 'open', connections: Math.ceil(wanted / workers.length) })
    await this.#opened.done
  }

  #hearWorker(id: number, message: FromWorker): void {
    if (message.type === 'health') this.#board.health.set(id, message.health)
    else if (message.type === 'opened') this.#opened.one()
    else if (message.type === 'finished') {
      this.#threadHealth.push(message.health)
      this.#finished.one()
    } else this.#phases.hear(message)
  }

  #hearRecorder(id: number, message: FromRecorder): void {
    if (message.type === 'preparing') this.#board.preparing = message
    else if (message.type === 'prepared') this.#prepared.resolve(message)
    else if (message.type === 'tokenizer') this.#manifest.tokenizer = message.tokenizer
    else if (message.type === 'live') this.#board.states.set(id, message.state)
    else if (message.type === 'window') this.#phases.hearWindow(id, message.counts)
    else if (message.type === 'finished') {
      this.#board.states.set(id, message.state)
      this.#threadHealth.push(message.health)
      this.#finished.one()
    }
  }

  /** Has every thread hand over what it holds; a thread that died is not waited for. */
  async #finishThreads(failure: AiperfError | undefined): Promise<void> {
    const { workers, recorders, pacer } = this.#threads
    if (pacer) pacer.ending = true
    this.#threads.tellPacer({ type: 'exit' })
    this.#finished.start(workers.length + recorders.length)
    for (const thread of [...workers, ...recorders]) thread.post({ type: 'finish' })
    if (!failure) return this.#finished.done
    await Promise.race([this.#finished.done, new Promise((resolve) => setTimeout(resolve, DEAD_THREAD_MS))])
  }

  #show(): void {
    const run = this.#phases.current
    // Between phases there is nothing to show.
    if (!run && (this.#stage === 'warmup' || this.#stage === 'profiling')) return
    const stage = run?.stage === 'grace' && this.#stage === run.info.kind ? 'grace' : this.#stage
    const offered = run ? this.#phases.plans[run.info.index]?.offeredRate?.(this.#now() - run.info.startNs) : undefined
    this.#context.ui.update(
      this.#board.snapshot({
        stage, run, words: run ? this.#phaseWords[run.info.index] : undefined, runWords: this.#runWords, workerWords: this.#threads.workerWords, nowNs: this.#now(),
        ...(offered === undefined ? {} : { offered }),
      }),
    )
  }
}
