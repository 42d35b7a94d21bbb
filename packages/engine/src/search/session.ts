import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import type { Trial } from '@aiperf/core'
import { unitText } from '@aiperf/core/numbers'
import type { RunContext } from '../control/run-context.js'
import { figure } from './console.js'
import type { Layout } from './layout.js'
import type { Ledger, RunRecord } from './ledger.js'
import type { PreparedRun } from '../control/benchmark.js'
import { makeRun, metricsOf, prepareRun, type RunnerContext, type RunOrder } from './one-run.js'
import type { Plan, ReadyCell } from './plan.js'
import { shortLabel } from './points/names.js'

/** What the command line hands over. */
export type SessionContext = Pick<RunContext, 'index' | 'command' | 'ui' | 'interrupt' | 'console' | 'print'>

/** One run of a plan: at which point, which time, with which seed. */
export interface Turn {
  cell: ReadyCell
  trial: number
  seed: number | undefined
}
export interface Progress {
  done: number
  total?: number
}

/** Runs the turns of a plan one after the other, each only if the ledger does not have it already. */
export class Session {
  readonly runner: RunnerContext
  /** Runs that this start made; those of an earlier start are not among them. */
  made = 0
  /** The best point so far, for the screen. */
  best: string | undefined
  #most = 0
  #before: { cell: number; trial: number } | undefined
  /** The next run, begun while the last one wrote its files. */
  #begun: { turn: Turn; prepared: Promise<PreparedRun> } | undefined

  constructor(
    readonly plan: Plan,
    readonly ledger: Ledger,
    readonly layout: Layout,
    context: SessionContext,
  ) {
    this.runner = { ...context, directory: ledger.directory, sweepId: ledger.facts.sweepId, notices: plan.notices, best: () => this.best }
  }

  get interrupted(): boolean {
    return this.runner.interrupt.aborted
  }

  /**
   * The record of a run: kept from before, or made now. Undefined: interrupted before it began. `next` is what will most
   * likely be run after it: its threads start while this run's files are written.
   */
  async run(turn: Turn, progress: Progress, next?: Turn): Promise<RunRecord | undefined> {
    const { cell, trial } = turn
    const known = this.#known(turn)
    if (known) {
      this.#before = undefined
      this.#rank(shortLabel(cell), known)
      return known
    }
    const { prepared } = await this.#take(turn, progress)
    if (!(await this.#coolDown(cell.index, trial))) {
      await prepared.then((run) => run.discard(), () => {})
      return undefined
    }
    const record = await makeRun(this.#orderOf(turn, progress), this.runner, prepared, () => {
      if (next && !this.interrupted && !this.#known(next)) this.#begin(next, { ...progress, done: progress.done + 1 })
    })
    this.made++
    this.#before = { cell: cell.index, trial }
    this.ledger.add(record)
    this.#tell(shortLabel(cell), record, progress)
    this.#rank(shortLabel(cell), record)
    return record
  }

  /** Ends what was begun and will not be run. */
  async close(): Promise<void> {
    const begun = this.#begun
    this.#begun = undefined
    await begun?.prepared.then((run) => run.discard(), () => {})
  }

  #known({ cell, trial }: Turn): RunRecord | undefined {
    const known = this.ledger.run(cell.index, trial)
    return known?.status === 'ok' && known.label === cell.label ? known : undefined
  }

  /** The run that was begun, if it is this one; another is ended. */
  async #take(turn: Turn, progress: Progress): Promise<{ prepared: Promise<PreparedRun> }> {
    if (!this.#begun || this.#begun.turn.cell.index !== turn.cell.index || this.#begun.turn.trial !== turn.trial) {
      await this.close()
      this.#begin(turn, progress)
    }
    const begun = this.#begun!
    this.#begun = undefined
    return begun
  }

  #begin(turn: Turn, progress: Progress): void {
    const prepared = prepareRun(this.#orderOf(turn, progress), this.runner)
    // What keeps it from beginning is told when it is run.
    prepared.catch(() => {})
    this.#begun = { turn, prepared }
  }

  #orderOf({ cell, trial, seed }: Turn, progress: Progress): RunOrder {
    const { warmupOnce } = this.plan.orchestration.repeats
    return {
      model: cell.model, explicit: cell.explicit, index: cell.index, trial, label: cell.label, shown: shortLabel(cell), values: cell.values, seed,
      warmup: !(warmupOnce && trial > 0),
      directory: join(this.ledger.directory, this.layout.run(cell, trial)),
      progress,
    }
  }

  /** Waits between two runs, the longer of the pauses between points and between runs. False: interrupted. */
  async #coolDown(cell: number, trial: number): Promise<boolean> {
    if (this.interrupted) return false
    const { cooldownSeconds, repeats } = this.plan.orchestration
    if (!this.#before) return true
    const seconds = Math.max(this.#before.cell !== cell ? cooldownSeconds : 0, this.#before.trial !== trial ? repeats.cooldownSeconds : 0)
    if (seconds === 0) return true
    this.runner.ui.log('info', `pausing ${seconds} s`)
    await sleep(seconds * 1000, undefined, { signal: this.runner.interrupt }).catch(() => {})
    return !this.interrupted
  }

  /** The point of a sweep with the highest throughput; a search says itself which is its best. */
  #rank(label: string, { status, verdict, metrics }: RunRecord): void {
    const throughput = metrics.find((m) => m.tag === 'request_throughput')?.avg ?? 0
    if (this.plan.kind !== 'sweep' || status !== 'ok' || verdict === 'invalid' || throughput <= this.#most) return
    this.#most = throughput
    this.best = `throughput ${figure(throughput)} req/s at ${label}`
  }

  #tell(label: string, { trial, status, error, verdict, metrics }: RunRecord, { done, total }: Progress): void {
    const place = `[${done + 1}${total === undefined ? '' : `/${total}`}] ${label}${this.plan.orchestration.repeats.runs > 1 ? ` run ${trial + 1}` : ''}`
    if (status !== 'ok') return this.runner.ui.log('warn', `${place}: ${status}: ${error ?? ''}`)
    const said = (tag: string, stat: 'avg' | 'p99', unit: string, name: string) => {
      const value = metrics.find((m) => m.tag === tag)?.[stat]
      return value === undefined ? [] : [`${name} ${figure(value)} ${unitText(unit)}`]
    }
    const figures = [...said('request_throughput', 'avg', 'req/s', 'throughput'), ...said('time_to_first_token', 'p99', 'ms', 'TTFT p99'), ...said('request_latency', 'p99', 'ms', 'latency p99')]
    this.runner.ui.log('info', `${place}: ${figures.join(' · ')} · ${verdict ?? ''}`)
  }
}

/** A record as recipes and planners see it. */
export function trialOf(record: RunRecord, cell: Pick<ReadyCell, 'values'>): Trial {
  const ok = record.status === 'ok'
  return {
    point: cell.values,
    metrics: ok ? metricsOf(record) : new Map(),
    verdict: record.verdict ?? 'invalid',
    ...(ok ? {} : { failed: record.error ?? record.status }),
    directory: record.directory,
  }
}
