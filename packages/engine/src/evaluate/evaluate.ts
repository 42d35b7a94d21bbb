import type { Metric, MetricResult, PhaseInfo, PhaseResult, TelemetryWindow } from '@aiperf/core'
import { absentMetrics } from './absent.js'
import type { EvaluateInput, EvaluateLimits, Evaluation } from './input.js'
import { Kept } from './kept.js'
import { ErrorGroups, PhaseRecords } from './phase-records.js'
import { noteFault, planEvaluation, type Plan } from './plan.js'
import { BatchValues } from './row-values.js'
import { Repeats } from './repeats.js'
import { RowPick } from './row-pick.js'
import { Sample, type SamplePart } from './sample.js'
import { releaseScratch } from './scratch.js'
import { evaluateScope, isBrief } from './scope-results.js'
import type { ScopeSource } from './scope-values.js'
import { PhaseSlices } from './slices.js'
import { steadyWindow } from './steady.js'
import { judge } from './verdict.js'

export const DEFAULT_LIMITS: EvaluateLimits = { exactValues: 2 ** 20, exactSteps: 2 ** 16, timeBins: 2 ** 15 }

type Batches = ReturnType<EvaluateInput['batches']>

/** Evaluates a run's journal; see the head of `index.ts`. */
export async function evaluate(input: EvaluateInput): Promise<Evaluation> {
  const limits = { ...DEFAULT_LIMITS, ...input.limits }
  const plan = planEvaluation(input)
  const infos = input.manifest.phases
  const values = new BatchValues(plan.metrics, plan.context, infos.map((info) => info.startNs), (tag, error) => noteFault(plan, tag, error))
  const phases = infos.map((info) => new Phase(info, values, plan, limits, input))
  const picks = infos.map(() => new RowPick())

  const eachBatch = async (batches: Batches, use: (phase: Phase, pick: RowPick) => void, done?: () => void): Promise<void> => {
    for await (const batch of batches) {
      values.load(batch)
      const phaseOf = batch.columns.phase
      for (let row = 0; row < batch.rows; row++) picks[phaseOf[row]!]?.add(row, values.classes[row]!)
      picks.forEach((pick, p) => {
        if (pick.all.count > 0) use(phases[p]!, pick)
        pick.clear()
      })
      done?.()
    }
  }

  const repeats = new Repeats()
  const kept = new Kept(input.keepBytes ?? 0)
  await eachBatch(input.batches(), (phase, pick) => {
    phase.records.add(pick)
    repeats.add(values.batch, pick.all, phase.info.kind)
  }, () => kept.add(values))
  for (const phase of phases) phase.settle(input.model.artifacts.sliceSeconds)
  if (phases.some((phase) => phase.needsSecondPass)) await eachBatch(input.batches(), (phase, pick) => phase.addAgain(pick))

  const results = phases.map((phase) => phase.result())
  const together = (kind: PhaseInfo['kind']): PhaseResult | undefined => {
    const members = phases.filter((phase) => phase.info.kind === kind)
    if (members.length === 0) return undefined
    if (members.length === 1) return results[phases.indexOf(members[0]!)]!
    return combined(kind, members, members.map((phase) => results[phases.indexOf(phase)]!), plan, input)
  }
  const warmup = together('warmup')
  const profiling = together('profiling') ?? nothing(infos)
  releaseScratch()
  return {
    ...(kept.batches ? { kept: kept.batches } : {}),
    phases: results,
    profiling,
    ...(warmup ? { warmup } : {}),
    verdict: judge({ input, profiling, phases: results.filter((result) => result.info.kind === 'profiling'), warmup, repeats: repeats.counts(), faults: plan.faults }),
    metrics: plan.metrics,
    context: plan.context,
  }
}

/** One phase on its way from records to results. */
class Phase {
  readonly info: PhaseInfo
  readonly records: PhaseRecords
  readonly #values: BatchValues
  readonly #plan: Plan
  readonly #limits: EvaluateLimits
  readonly #input: EvaluateInput
  window = { startNs: 0, endNs: 0, seconds: 0 }
  #steady: { startNs: number; endNs: number } | undefined
  /** The steady state of a phase too long to be cut out of what is kept. */
  #steadySample: Sample | undefined
  #slices: PhaseSlices | undefined

  constructor(info: PhaseInfo, values: BatchValues, plan: Plan, limits: EvaluateLimits, input: EvaluateInput) {
    this.info = info
    this.#values = values
    this.#plan = plan
    this.#limits = limits
    this.#input = input
    this.records = new PhaseRecords(values, plan, limits, info.startNs)
  }

  /** Every record is in: windows are known. */
  settle(sliceSeconds: number | undefined): void {
    const { startNs, endNs, concurrency, sample } = this.records
    if (!(endNs >= startNs)) {
      this.window = { startNs: this.info.startNs, endNs: this.info.endNs, seconds: 0 }
      return
    }
    this.window = { startNs, endNs, seconds: (endNs - startNs) / 1e9 }
    this.#steady = steadyWindow(concurrency, startNs, endNs)
    const shown = this.#plan.metrics.filter(isBrief).flatMap((metric) => this.#plan.slots.get(metric.tag) ?? [])
    if (this.#steady && !sample.exact(shown)) this.#steadySample = new Sample(this.#values, { exactValues: this.#limits.exactValues, canCut: false })
    if (sliceSeconds !== undefined && sliceSeconds > 0 && this.info.kind === 'profiling' && endNs > startNs)
      this.#slices = new PhaseSlices(this.#values, this.window, sliceSeconds * 1e9, this.#limits.exactValues)
  }

  get needsSecondPass(): boolean {
    return this.#steadySample !== undefined || this.#slices !== undefined
  }

  /** Takes rows of the loaded batch a second time. */
  addAgain(pick: RowPick): void {
    this.#slices?.add(pick)
    if (this.#steadySample === undefined) return
    const { startNs, endNs } = this.#steady!
    const ends = this.#values.batch.columns.endNs
    const within = new RowPick()
    for (let i = 0; i < pick.all.count; i++) {
      const row = pick.all.rows[i]!
      if (ends[row]! >= startNs && ends[row]! <= endNs) within.add(row, this.#values.classes[row]!)
    }
    this.#steadySample.add(within)
  }

  get part(): SamplePart {
    return { sample: this.records.sample }
  }

  get telemetryWindow(): TelemetryWindow {
    return { startNs: this.window.startNs, endNs: this.window.endNs, phase: this.info.index }
  }

  result(): PhaseResult {
    const { window } = this
    const metrics = this.#evaluate({
      parts: [this.part],
      curves: [{ records: this.records, startNs: window.startNs, endNs: window.endNs }],
      window,
      telemetryWindows: [this.telemetryWindow],
      skipped: this.info.counts.skipped,
      partial: false,
    })
    const steady = this.#steadyResult(metrics)
    return {
      info: this.info,
      window,
      metrics,
      absent: absentMetrics(this.#plan, this.#input.metrics, metrics, [this.part]),
      errors: this.records.errors.list(),
      slices: this.#slices?.results(this.#plan, this.records, metrics, this.#input.telemetry ?? []) ?? [],
      ...(steady ? { steady } : {}),
    }
  }

  #steadyResult(whole: Map<string, MetricResult>): PhaseResult['steady'] {
    const steady = this.#steady
    if (steady === undefined) return undefined
    if (steady.startNs === this.window.startNs && steady.endNs === this.window.endNs) return { ...steady, metrics: whole }
    const part: SamplePart = this.#steadySample
      ? { sample: this.#steadySample }
      : { sample: this.records.sample, keep: this.records.sample.keepEndedWithin(steady.startNs, steady.endNs) }
    const metrics = this.#evaluate({
      parts: [part],
      curves: [{ records: this.records, ...steady }],
      window: { ...steady, seconds: (steady.endNs - steady.startNs) / 1e9 },
      telemetryWindows: [steady],
      partial: true,
    }, true)
    return { ...steady, metrics }
  }

  #evaluate(source: ScopeSource, brief = false): Map<string, MetricResult> {
    return evaluateScope(this.#plan, source, this.#input.telemetry ?? [], brief)
  }
}

/** Several phases of a kind as one: samples pooled, rates over the sum of their windows. */
function combined(kind: PhaseInfo['kind'], phases: readonly Phase[], results: readonly PhaseResult[], plan: Plan, input: EvaluateInput): PhaseResult {
  const active = phases.filter((phase) => phase.window.seconds > 0)
  const counted = active.length > 0 ? active : phases
  const window = {
    startNs: Math.min(...counted.map((phase) => phase.window.startNs)),
    endNs: Math.max(...counted.map((phase) => phase.window.endNs)),
    seconds: active.reduce((sum, phase) => sum + phase.window.seconds, 0),
  }
  const info = combinedInfo(kind, phases.map((phase) => phase.info))
  const parts = phases.map((phase) => phase.part)
  const metrics = evaluateScope(
    plan,
    {
      parts,
      curves: active.map((phase) => ({ records: phase.records, startNs: phase.window.startNs, endNs: phase.window.endNs })),
      window,
      telemetryWindows: active.map((phase) => phase.telemetryWindow),
      skipped: info.counts.skipped,
      partial: false,
    },
    input.telemetry ?? [],
  )
  const errors = new ErrorGroups()
  for (const phase of phases) errors.merge(phase.records.errors)
  return {
    info,
    window,
    metrics,
    absent: absentMetrics(plan, input.metrics as readonly Metric[], metrics, parts),
    errors: errors.list(),
    slices: results.flatMap((result) => result.slices),
  }
}

function combinedInfo(kind: PhaseInfo['kind'], infos: readonly PhaseInfo[]): PhaseInfo {
  const first = infos[0]!
  const counts = { ...first.counts }
  for (const info of infos.slice(1)) for (const key of Object.keys(counts) as (keyof typeof counts)[]) counts[key] += info.counts[key]
  return {
    ...first,
    name: kind,
    startNs: Math.min(...infos.map((info) => info.startNs)),
    endNs: Math.max(...infos.map((info) => info.endNs)),
    counts,
    wasCancelled: infos.some((info) => info.wasCancelled),
    endedBy: infos.at(-1)!.endedBy,
  }
}

/** A run that ended before its profiling phase began. */
function nothing(infos: readonly PhaseInfo[]): PhaseResult {
  const at = infos.at(-1)?.endNs ?? 0
  const counts = { due: 0, sent: 0, skipped: 0, unsent: 0, completed: 0, errors: 0, cancelled: 0, censored: 0, retried: 0, sessionsStarted: 0, sessionsCompleted: 0 }
  return {
    info: { index: infos.length, name: 'profiling', kind: 'profiling', mode: '', options: {}, startNs: at, endNs: at, counts, wasCancelled: true, endedBy: 'interrupted' },
    window: { startNs: at, endNs: at, seconds: 0 },
    metrics: new Map(),
    absent: [],
    errors: [],
    slices: [],
  }
}
