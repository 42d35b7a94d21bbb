import { randomBytes, randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { AiperfError, EXIT, type ArtifactDir, type JsonObject, type LiveSnapshot, type LoadPlan, type PhaseInfo, type RunModel, type RunResult, type Ui } from '@aiperf/core'
import { createHost, type Host, type PluginIndex } from '@aiperf/core/host'
import { JOURNAL } from '../journal/read.js'
import { exportWith, prepareExport, type ExportTools } from '../report/export.js'
import { createNow, takeOrigin } from '../shared/clock.js'
import { watchHealth, type Health } from '../shared/health.js'
import { PHASE_WORDS, RUN, RUN_WORDS, sharedWords } from '../shared/words.js'
import { Store } from '../store/reader.js'
import type { StoreShared } from '../store/layout.js'
import { createRunDirectory } from './directory.js'
import { LiveBoard } from './live.js'
import { addPrepared, startManifest, unfinished, writeManifest } from './manifest.js'
import type { FromPacer, FromRecorder, FromWorker, PrepareReport, ThreadData } from './messages.js'
import { PhaseRun } from './phase-run.js'
import { createPlan } from './plan.js'
import { threadCounts } from './sizes.js'
import { startThreads, type Threads } from './threads.js'
import type { KeptManifest } from '../report/result.js'

const SNAPSHOT_MS = 250
/** Metrics and exporters are loaded this long after the start, when the run has settled. */
const PRELOAD_MS = 400
const MOST_OPEN = 2048

export interface RunContext {
  index: PluginIndex
  /** What the user set, for the manifest. */
  explicit: JsonObject
  /** The command line, secrets removed. */
  command: string
  ui: Ui
  /** Aborted when the person asks to stop. */
  interrupt: AbortSignal
  console: ArtifactDir['console']
  print(text: string): void
  notices?: readonly string[]
}

export interface RunOutcome {
  directory: string
  exitCode: number
  result: RunResult
  files: string[]
  /** What went wrong although results were written. */
  failures: AiperfError[]
}

/** Runs a benchmark from its resolved model to its files. */
export async function runBenchmark(model: RunModel, context: RunContext): Promise<RunOutcome> {
  const run = new Run(model, context)
  return run.run()
}

class Run {
  readonly #model: RunModel
  readonly #context: RunContext
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
  #current: PhaseRun[] = []
  readonly #runs: PhaseRun[] = []
  #plans: LoadPlan[] = []
  #stage: LiveSnapshot['stage'] = 'preparing'
  #failure: AiperfError | undefined
  #fail!: (error: Error) => void
  readonly #failed = new Promise<never>((_, reject) => (this.#fail = reject))
  #prepared!: (value: { shared: StoreShared; report: PrepareReport }) => void
  readonly #preparing = new Promise<{ shared: StoreShared; report: PrepareReport }>((resolve) => (this.#prepared = resolve))
  #finished = 0
  #allFinished!: () => void
  #opened = 0
  #allOpened!: () => void
  readonly #threadHealth: Health[] = []
  #tools: Promise<ExportTools> | undefined

  constructor(model: RunModel, context: RunContext) {
    this.#model = model
    this.#context = context
    this.#host = createHost(context.index)
    this.#phaseWords = model.phases.map(() => sharedWords(PHASE_WORDS))
    this.#seed = model.runtime.seed ?? randomInt(2 ** 47)
    this.#failed.catch(() => {})
    const benchmarkId = randomBytes(6).toString('hex')
    const runHex = randomBytes(4).toString('hex')
    this.#manifest = startManifest({
      model, explicit: context.explicit, command: context.command, host: this.#host, benchmarkId, runHex, seed: this.#seed, unixNs: this.#origin.unixNs,
    })
    this.#manifest.notices.push(...(context.notices ?? []))
    this.#directory = createRunDirectory(model, this.#host, new Date(Number(this.#origin.unixNs / 1_000_000n)), benchmarkId)
  }

  async run(): Promise<RunOutcome> {
    const { ui, interrupt } = this.#context
    const watch = watchHealth('main', 0)
    this.#startThreads()
    const ticker = setInterval(() => this.#show(), SNAPSHOT_MS)
    const onInterrupt = (): void => {
      ui.log('warn', 'Stopping: nothing more is sent, results of what was measured are written. Interrupt again to stop at once.')
      this.#manifest.wasCancelled = true
      for (const phase of this.#current) phase.interrupt()
      if (this.#current.length === 0) this.#fail(new AiperfError('E_INTERRUPTED', 'Interrupted before the first request'))
    }
    if (interrupt.aborted) onInterrupt()
    interrupt.addEventListener('abort', onInterrupt, { once: true })
    try {
      await Promise.race([this.#measure(), this.#failed])
    } catch (error) {
      this.#failure = error as AiperfError
      for (const phase of this.#current) phase.interrupt('failed')
      // What was measured before the fault is kept; before the first phase there is nothing to keep.
      if (this.#manifest.phases.length === 0) {
        clearInterval(ticker)
        await this.#endThreads()
        throw error
      }
    }
    this.#stage = 'records'
    this.#show()
    const cpu = process.cpuUsage()
    await this.#finishThreads()
    // Only now have the recorders counted how every request ended.
    for (const run of this.#runs) run.count()
    clearInterval(ticker)
    this.#manifest.client = this.#client(watch.read(), cpu)
    this.#manifest.endTime = new Date().toISOString()
    this.#manifest.complete = this.#failure === undefined && !this.#manifest.wasCancelled && this.#manifest.phases.every((p) => p.endedBy !== 'error-threshold')
    if (!this.#manifest.complete) this.#manifest.incompleteReason = this.#failure?.message ?? (this.#manifest.wasCancelled ? 'interrupted' : 'the error threshold was crossed')
    writeManifest(this.#directory, this.#manifest)
    this.#stage = 'exporting'
    this.#show()
    await ui.close()
    const tools = await (this.#tools ?? this.#preload())
    const exported = await exportWith(this.#directory, { index: this.#context.index, console: this.#context.console, print: this.#context.print, warn: (m) => ui.log('warn', m) }, tools)
    const failures = [...(this.#failure ? [this.#failure] : []), ...exported.failures]
    await this.#endThreads()
    return { directory: this.#directory, exitCode: exitCode(exported.result, failures, this.#model), result: exported.result, files: exported.files, failures }
  }

  #startThreads(): void {
    const { index } = this.#context
    const counts = threadCounts(this.#model, this.#host)
    const base: ThreadData = {
      index,
      model: this.#model,
      origin: this.#origin,
      runHex: this.#manifest.internal.runHex,
      seed: this.#seed,
      runWords: this.#runWords,
      phaseWords: this.#phaseWords,
      urlWords: sharedWords(this.#model.endpoint.urls.length),
      journal: join(this.#directory, JOURNAL),
    }
    const pacer = this.#model.phases.some((p) => p.mode !== 'concurrency')
    this.#threads = startThreads(base, { ...counts, pacer }, {
      worker: (id, message) => this.#hearWorker(id, message),
      recorder: (id, message) => this.#hearRecorder(id, message),
      pacer: (message) => this.#hearPhase(message),
      failed: (error) => this.#fail(error),
    })
    this.#threads.recorders[0]!.post({ type: 'prepare' })
  }

  async #measure(): Promise<void> {
    const { shared, report } = await this.#preparing
    addPrepared(this.#manifest, report)
    const store = new Store(shared)
    writeFileSync(join(this.#directory, JOURNAL, 'conversations.json'), JSON.stringify(Array.from({ length: store.size }, (_, i) => store.id(i))))
    const { threads } = { threads: this.#threads }
    for (const worker of threads.workers) worker.post({ type: 'store', shared, sizes: report.sizes })
    for (const recorder of threads.recorders.slice(1)) recorder.post({ type: 'store', shared })
    threads.tellPacer({ type: 'store', shared, sizes: report.sizes })
    Atomics.add(this.#runWords, RUN.pacerWake, 1)
    Atomics.notify(this.#runWords, RUN.pacerWake)
    await Promise.all([...threads.workers, ...threads.recorders].map((t) => t.ready))
    const phases = this.#model.phases
    let profiling = 0
    for (const [index, phase] of phases.entries()) {
      const { plan } = await createPlan(this.#host, this.#model, phase, store, report.sizes, this.#seed)
      this.#plans.push(plan)
      this.#runs.push(
        new PhaseRun({ index, model: phase, plan, threads, runWords: this.#runWords, words: this.#phaseWords[index]!, now: this.#now }, phase.kind === 'profiling' ? profiling++ : undefined),
      )
    }
    await this.#openConnections()
    const preload = setTimeout(() => void this.#preload().catch(() => {}), PRELOAD_MS)
    preload.unref()
    await this.#play(this.#runs)
    clearTimeout(preload)
  }

  /** Plays the phases in order. A seamless one begins when the one before has sent everything. */
  async #play(runs: readonly PhaseRun[]): Promise<void> {
    const ends: Promise<PhaseInfo>[] = []
    for (const [i, run] of runs.entries()) {
      if (this.#manifest.wasCancelled || this.#failure) break
      this.#current.push(run)
      await run.arm()
      const { sent, done } = run.go()
      this.#manifest.phases.push(unfinished(run.info))
      writeManifest(this.#directory, this.#manifest)
      this.#stage = run.info.kind
      const ended = done.then((info) => {
        this.#manifest.phases[i] = info
        this.#current = this.#current.filter((r) => r !== run)
        return info
      })
      ends.push(ended)
      const seamless = this.#model.phases[i + 1]?.seamless ?? false
      await (seamless ? sent : ended)
      if (run.info.endedBy === 'error-threshold') break
    }
    await Promise.all(ends)
  }

  async #openConnections(): Promise<void> {
    const { workers } = this.#threads
    const first = this.#model.phases[0]!.options as { concurrency?: number }
    const wanted = Math.min(MOST_OPEN, Number(first.concurrency ?? 8))
    const opened = new Promise<void>((resolve) => (this.#allOpened = resolve))
    for (const worker of workers) worker.post({ type: 'open', connections: Math.ceil(wanted / workers.length) })
    await opened
  }

  #preload(): Promise<ExportTools> {
    return (this.#tools ??= prepareExport({ index: this.#context.index, warn: (m) => this.#context.ui.log('warn', m) }))
  }

  #hearWorker(id: number, message: FromWorker): void {
    if (message.type === 'health') this.#board.health.set(id, message.health)
    else if (message.type === 'finished') {
      this.#threadHealth.push(message.health)
      this.#oneFinished()
    } else if (message.type === 'opened') {
      this.#opened++
      if (this.#opened === this.#threads.workers.length) this.#allOpened()
    } else this.#hearPhase(message)
  }

  #hearRecorder(id: number, message: FromRecorder): void {
    if (message.type === 'preparing') this.#board.preparing = message
    else if (message.type === 'prepared') this.#prepared(message)
    else if (message.type === 'live') this.#board.states.set(id, message.state)
    else if (message.type === 'finished') {
      this.#board.states.set(id, message.state)
      this.#threadHealth.push(message.health)
      this.#oneFinished()
    }
  }

  #hearPhase(message: FromWorker | FromPacer): void {
    if (!('phase' in message)) return
    this.#current.find((run) => run.info.index === message.phase)?.hear(message)
  }

  #oneFinished(): void {
    this.#finished++
    if (this.#finished === this.#threads.workers.length + this.#threads.recorders.length) this.#allFinished()
  }

  /** Has every thread hand over what it holds; a thread that died is not waited for. */
  async #finishThreads(): Promise<void> {
    const { workers, recorders, pacer } = this.#threads
    const finished = new Promise<void>((resolve) => (this.#allFinished = resolve))
    if (pacer) pacer.ending = true
    this.#threads.tellPacer({ type: 'exit' })
    Atomics.add(this.#runWords, RUN.pacerWake, 1)
    Atomics.notify(this.#runWords, RUN.pacerWake)
    for (const thread of [...workers, ...recorders]) thread.post({ type: 'finish' })
    if (!this.#failure) return finished
    await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, 2000))])
  }

  async #endThreads(): Promise<void> {
    const all = [...this.#threads.workers, ...this.#threads.recorders, ...(this.#threads.pacer ? [this.#threads.pacer] : [])]
    await Promise.all(
      all.map((thread) => {
        thread.ending = true
        return thread.worker.terminate()
      }),
    )
  }

  #show(): void {
    const run = this.#current.at(-1)
    const stage = run?.stage === 'grace' && this.#stage === run.info.kind ? 'grace' : this.#stage
    const offered = run ? this.#plans[run.info.index]?.offeredRate?.(this.#now() - run.info.startNs) : undefined
    this.#context.ui.update(
      this.#board.snapshot({
        stage, run, words: run ? this.#phaseWords[run.info.index] : undefined, runWords: this.#runWords, workerWords: this.#threads.workerWords, nowNs: this.#now(),
        ...(offered === undefined ? {} : { offered }),
      }),
    )
  }

  #client(main: Health, cpu: NodeJS.CpuUsage): JsonObject {
    const { user, system } = process.cpuUsage()
    return {
      threads: [main, ...this.#threadHealth] as unknown as JsonObject[],
      wallSeconds: performance.now() / 1000,
      cores: Number(this.#manifest.host.cores),
      cpuSeconds: (user + system) / 1e6,
      maxRssBytes: process.resourceUsage().maxRSS * 1024,
      drainCpuSeconds: (user + system - cpu.user - cpu.system) / 1e6,
    }
  }
}

function exitCode(result: RunResult, failures: readonly AiperfError[], model: RunModel): number {
  if (result.manifest.phases.some((p) => p.endedBy === 'error-threshold')) return EXIT.limit
  if (result.manifest.wasCancelled) return EXIT.interrupted
  if (failures.length > 0) return failures[0]!.exitCode
  if (!result.profiling.metrics.get('request_count')?.avg) return EXIT.failed
  if (model.runtime.strict && result.verdict.verdict !== 'valid') return EXIT.limit
  return EXIT.ok
}
