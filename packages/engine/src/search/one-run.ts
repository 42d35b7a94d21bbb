import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { AiperfError, EXIT, type JsonObject, type MetricResult, type Point, type RunModel, type RunResult, type Ui } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'
import { prepareBenchmark, type PreparedRun } from '../control/benchmark.js'
import type { RunContext } from '../control/run-context.js'
import { writeWhole, type RunRecord } from './ledger.js'

/** What all runs of a plan share. */
export interface RunnerContext {
  index: PluginIndex
  command: string
  ui: Ui
  interrupt: AbortSignal
  console: RunContext['console']
  notices: readonly string[]
  /** The plan's folder. */
  directory: string
  sweepId: string
  /** The best point so far, in words. */
  best(): string | undefined
}

/** One run to be made. */
export interface RunOrder {
  model: RunModel
  /** What the user set, the point's values included. */
  explicit: JsonObject
  index: number
  trial: number
  label: string
  /** The label as a screen shows it. */
  shown: string
  values: Point
  seed: number | undefined
  warmup: boolean
  /** Absolute. */
  directory: string
  progress: { done: number; total?: number }
}

/** Faults of the surroundings: the next run would meet them too. */
const FATAL = new Set(['E_DISK', 'E_ARTIFACTS'])

/** Begins a run, in a folder that holds nothing of an earlier try. */
export async function prepareRun(order: RunOrder, context: RunnerContext): Promise<PreparedRun> {
  rmSync(order.directory, { recursive: true, force: true })
  return prepareBenchmark(modelFor(order), runContext(order, context))
}

/**
 * Makes one run to its files. A run that fails is a result too; only what would fail every run is thrown. `measured` is
 * called when nothing more is sent.
 */
export async function makeRun(order: RunOrder, context: RunnerContext, prepared: Promise<PreparedRun>, measured: () => void): Promise<RunRecord> {
  const { index, trial, label, seed, directory } = order
  const began = performance.now()
  const record: RunRecord = { cell: index, trial, label, seed, directory: relative(context.directory, directory) || '.', status: 'failed', startTime: new Date().toISOString(), seconds: 0, metrics: [] }
  try {
    const outcome = await (await prepared).run(measured)
    Object.assign(record, judged(outcome.result, outcome.failures))
    writeRunConfig(order, context, outcome.result.manifest.benchmarkId)
  } catch (error) {
    const { code, message } = error as AiperfError
    if (FATAL.has(code) || (error as Error).name !== 'AiperfError') throw error
    record.error = message
    // What an interruption brought about is no finding about the point.
    if (code === 'E_INTERRUPTED' || context.interrupt.aborted) record.status = 'cancelled'
  }
  record.seconds = (performance.now() - began) / 1000
  return record
}

function modelFor({ model, directory, seed, warmup }: RunOrder): RunModel {
  const { seed: _seed, ...runtime } = model.runtime
  return {
    ...model,
    phases: warmup ? model.phases : model.phases.filter((phase) => phase.kind !== 'warmup'),
    artifacts: { ...model.artifacts, dir: directory, dirGiven: true },
    runtime: { ...runtime, ...(seed === undefined ? {} : { seed }) },
  }
}

/** One user interface for all runs: each run's own ends with the last. */
function runContext({ explicit, index, trial, label, shown, values, progress }: RunOrder, context: RunnerContext): RunContext {
  const { ui } = context
  return {
    index: context.index,
    explicit,
    command: context.command,
    // A signal of its own: what a run hangs on it goes with the run.
    interrupt: AbortSignal.any([context.interrupt]),
    notices: context.notices,
    console: context.console,
    print: () => {},
    sweep: { id: context.sweepId, index, label, values: { ...values }, trial },
    ui: {
      update(snapshot) {
        const best = context.best()
        ui.update({ ...snapshot, sweep: { ...progress, point: shown, ...(best === undefined ? {} : { best }) } })
      },
      log: (level, message) => ui.log(level, message),
      close: () => Promise.resolve(),
    },
  }
}

/** What became of a run that ended by itself or by hand. */
function judged(result: RunResult, failures: readonly AiperfError[]): Partial<RunRecord> {
  const { manifest, profiling, verdict } = result
  const facts: Partial<RunRecord> = {
    benchmarkId: manifest.benchmarkId,
    verdict: verdict.verdict,
    doubts: verdict.reasons.filter(({ level }) => level !== 'note').map(({ code }) => code),
    measuredSeconds: manifest.phases.reduce((sum, phase) => sum + (phase.endNs - phase.startNs), 0) / 1e9,
    metrics: [...profiling.metrics.values()].filter((metric) => !metric.internal),
  }
  if (manifest.wasCancelled) return { ...facts, status: 'cancelled', error: 'interrupted' }
  const serious = failures.find((failure) => failure.exitCode !== EXIT.ok && failure.code !== 'E_EXPORT')
  if (serious) return { ...facts, status: 'failed', error: serious.message }
  if (manifest.phases.some((phase) => phase.endedBy === 'error-threshold')) return { ...facts, status: 'failed', error: 'too many requests failed (--failed-request-threshold)' }
  if (!profiling.metrics.get('request_count')?.avg) {
    const [first] = profiling.errors
    const failed = profiling.info.counts.errors
    return { ...facts, status: 'failed', error: failed > 0 ? `all ${failed} requests failed${first ? `: ${first.error.type}: ${first.error.message}` : ''}` : 'no request was completed' }
  }
  return { ...facts, status: 'ok' }
}

/** `run_config.json`: what this run was made of, for tools that read the folders of a sweep. */
function writeRunConfig({ explicit, index, trial, label, values, seed, directory }: RunOrder, context: RunnerContext, benchmarkId: string): void {
  mkdirSync(directory, { recursive: true })
  writeWhole(join(directory, 'run_config.json'), {
    benchmark_id: benchmarkId,
    sweep_id: context.sweepId,
    cfg: explicit,
    variation: { index, label, values },
    trial,
    artifact_dir: directory,
    label: `run_${String(trial + 1).padStart(4, '0')}`,
    cli_command: context.command,
    random_seed: seed ?? null,
  })
}

/** Metrics of a record by tag, as trials carry them. */
export const metricsOf = (record: RunRecord): Map<string, MetricResult> => new Map(record.metrics.map((metric) => [metric.tag, metric]))
