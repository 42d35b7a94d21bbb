import type { Outcome, PhaseInfo, PhaseResult, RawExchange, RecordView, RequestError, RunResult } from '@aiperf/core'
import { displayValue, METRICS, results } from './metrics.js'
import { recordView, type MadeRecord } from './records.js'

/** Unix ns of the run clock's 0: more digits than a double holds. */
export const ZERO = 1796036061854766081n

const MODE = { mode: 'concurrency', options: { concurrency: 4 } }

export interface MadeRun {
  phases?: { name: string; kind: 'warmup' | 'profiling'; mode?: string }[]
  records: MadeRecord[]
  exchanges?: RawExchange[]
  texts?: { ordinal: number; text: string }[]
  inputs?: { sessionId: string; payloads: string[] }[]
  change?: (run: RunResult) => void
}

/** A finished run made of the given records: data, with statistics computed by the book. */
export function runResult(made: MadeRun): RunResult {
  const phaseSpecs = made.phases ?? [{ name: 'profiling', kind: 'profiling' as const }]
  const views = made.records.map(recordView)
  let profilingIndex = 0
  const phases = phaseSpecs.map((spec, index) => {
    const mine = views.filter((view) => view.phase === index)
    return phaseResult(mine, { ...MODE, ...(spec.mode ? { mode: spec.mode } : {}), index, name: spec.name, kind: spec.kind, ...(spec.kind === 'profiling' ? { profilingIndex: profilingIndex++ } : {}) })
  })
  const profilingPhases = phases.filter((phase) => phase.info.kind === 'profiling')
  const profiling = profilingPhases.length === 1 ? profilingPhases[0]! : phaseResult(views.filter((view) => phaseSpecs[view.phase]!.kind === 'profiling'), profilingPhases[0]!.info)
  const warmup = phases.find((phase) => phase.info.kind === 'warmup')
  const run: RunResult = {
    manifest: {
      schemaVersion: '1', aiperfVersion: '0.1.0', benchmarkId: 'ff88f8da357c', startUnixNs: String(ZERO), startTime: '2026-11-30T10:54:21.854Z', endTime: '2026-11-30T10:54:24Z',
      command: "aiperf profile --model 'm' --url 'http://127.0.0.1:18011' --concurrency 4", options: { endpoint: { type: 'chat', streaming: true }, artifacts: { dir: 'artifacts' } }, explicitOptions: { endpoint: { urls: ['http://127.0.0.1:18011'] } },
      seed: 42, plugins: [{ package: '@aiperf/plugin-endpoints', version: '0.1.0', contributions: ['endpoint:chat'] }], dataset: { loader: 'synthetic', sessions: 40, turns: 40, badLines: 0, skipped: 0 },
      tokenizer: { name: 'builtin' }, host: { cpus: 2, node: 'v20.20.2' }, phases: phases.map((phase) => phase.info), complete: true, wasCancelled: false,
      endpoint: { type: 'chat', metricsTitle: 'LLM Metrics', streaming: true, urls: ['http://127.0.0.1:18011'], models: ['m'] }, client: { workers: 1 }, notices: [],
    },
    phases, profiling, ...(warmup ? { warmup } : {}),
    verdict: { verdict: 'valid', reasons: [] },
    async *records() {
      for (const record of views) yield { record, value: (tag: string) => { const metric = METRICS.find((m) => m.tag === tag); return metric && displayValue(metric, record) } }
    },
    metrics: METRICS,
    async *raw() { yield* made.exchanges ?? [] },
    ...(made.texts ? { async *texts() { yield* made.texts! } } : {}),
    async *inputs() { for (const { sessionId, payloads } of made.inputs ?? []) yield { sessionId, payloads: payloads.map((p) => Buffer.from(p)) } },
    telemetry: [],
    additions: {},
    output: { level: 'records', httpTrace: false, showTraceTiming: false, outputsJson: false, internalMetrics: false },
    requestId: (record) => `request-${record.ordinal}`,
    correlationId: (record) => `correlation-${record.phase}-${record.session}`,
    conversationId: (record) => `session_${String(record.conversation).padStart(6, '0')}`,
    unixNs: (ns) => ZERO + BigInt(Math.round(ns)),
  }
  made.change?.(run)
  return run
}

function phaseResult(records: RecordView[], info: Pick<PhaseInfo, 'index' | 'name' | 'kind' | 'mode' | 'options' | 'profilingIndex'>): PhaseResult {
  const startNs = Math.min(...records.map((r) => r.dispatchedNs))
  const endNs = Math.max(...records.map((r) => r.endNs))
  const of = (outcome: Outcome) => records.filter((r) => r.outcomeName === outcome).length
  const successes = records.filter((r) => r.success).length
  const errors = new Map<string, { error: RequestError; count: number }>()
  for (const { error } of records) {
    if (!error) continue
    const key = `${error.code} ${error.type} ${error.message}`
    errors.set(key, { error, count: (errors.get(key)?.count ?? 0) + 1 })
  }
  return {
    info: {
      ...info, startNs: startNs - 1e6, endNs: endNs + 1e6, wasCancelled: false, endedBy: 'requests',
      counts: { due: records.length, sent: records.length, skipped: 0, unsent: 0, completed: records.length - of('censored'), errors: records.length - successes - of('censored') - of('cancelled'), cancelled: of('cancelled'), censored: of('censored'), retried: 0, sessionsStarted: records.length, sessionsCompleted: successes },
    },
    window: { startNs, endNs, seconds: (endNs - startNs) / 1e9 },
    metrics: results(records, (endNs - startNs) / 1e9),
    absent: [], errors: [...errors.values()], slices: [],
  }
}
