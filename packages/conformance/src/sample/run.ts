import type { Metric, PhaseInfo, RunManifest, RunModel, RunResult, TelemetryResult } from '@aiperf/core'
import { batchFromRows, createRowValues, evaluate, type RowFacts } from '@aiperf/engine/evaluate'
import { createView } from '@aiperf/engine/journal'
import { modelAsJson, sampleModel } from './model.js'
import { sampleRows } from './rows.js'

/** Unix ns of the run clock's 0: more digits than a double holds. */
const ZERO = 1796036061854766081n
const ROWS = 85

/** The metrics that nearly every exporter shows, by their usual tags. */
export const SAMPLE_METRICS: readonly Metric[] = [
  { kind: 'record', tag: 'request_latency', header: 'Request Latency', unit: 'ns', displayUnit: 'ms', order: 300, description: 'Dispatch to the last content.', compute: (r) => span(r.lastTokenNs, r.dispatchedNs) },
  { kind: 'record', tag: 'time_to_first_token', header: 'Time to First Token', shortHeader: 'TTFT', unit: 'ns', displayUnit: 'ms', order: 100, gates: ['streaming', 'tokens'], description: 'Dispatch to the first token.', compute: (r) => span(r.firstTokenNs, r.dispatchedNs) },
  { kind: 'record', tag: 'inter_token_latency', header: 'Inter Token Latency', shortHeader: 'ITL', unit: 'ns', displayUnit: 'ms', order: 400, gates: ['streaming', 'tokens'], description: 'Mean gap between tokens.', compute: (r) => (r.outputTokens > 1 ? span(r.lastTokenNs, r.firstTokenNs)! / (r.outputTokens - 1) : undefined) },
  { kind: 'record', tag: 'output_sequence_length', header: 'Output Sequence Length', shortHeader: 'OSL', unit: 'tokens', order: 600, gates: ['tokens'], description: 'Tokens of the output.', compute: (r) => finite(r.outputTokens) },
  { kind: 'record', tag: 'input_sequence_length', header: 'Input Sequence Length', shortHeader: 'ISL', unit: 'tokens', order: 700, gates: ['input-tokens'], description: 'Tokens of the input.', compute: (r) => finite(r.inputTokens) },
  { kind: 'aggregate', tag: 'request_count', header: 'Request Count', unit: 'requests', order: 1000, fold: 'sum', description: 'Requests that ended well.', compute: () => 1 },
  { kind: 'derived', tag: 'request_throughput', header: 'Request Throughput', unit: 'requests/s', order: 900, requires: ['request_count'], largerIsBetter: true, description: 'Requests per second.', compute: (scope) => (scope.windowSeconds > 0 ? scope.value('request_count')! / scope.windowSeconds : undefined) },
]
const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)
const span = (end: number, start: number): number | undefined => finite(end - start)

export interface SampleRun {
  rows?: readonly RowFacts[]
  metrics?: readonly Metric[]
  telemetry?: readonly TelemetryResult[]
  change?(run: RunResult): void
}

/** A finished run over made-up records, evaluated as the engine evaluates a journal. */
export async function sampleRun({ rows = sampleRows(ROWS), metrics = SAMPLE_METRICS, telemetry = [], change }: SampleRun = {}): Promise<RunResult> {
  const model = sampleModel()
  const manifest = manifestOf(rows, model)
  const batch = batchFromRows(rows)
  const evaluation = await evaluate({ manifest, batches: () => [batch], metrics, model, telemetry })
  const values = createRowValues(evaluation.metrics, evaluation.context, manifest)
  const run: RunResult = {
    manifest,
    phases: evaluation.phases,
    profiling: evaluation.profiling,
    ...(evaluation.warmup ? { warmup: evaluation.warmup } : {}),
    verdict: evaluation.verdict,
    metrics: evaluation.metrics,
    async *records() {
      values.load(batch)
      const view = createView()
      view.batch = batch
      for (view.row = 0; view.row < batch.rows; view.row++) yield { record: view, value: (tag: string) => values.value(tag, view.row) }
    },
    async *raw() {},
    async *inputs() {
      for (let i = 0; i < 5; i++) yield { sessionId: `session_${i}`, payloads: [Buffer.from(JSON.stringify({ model: 'sample-model', messages: [{ role: 'user', content: `Question ${i}` }] }))] }
    },
    telemetry,
    additions: {},
    output: { level: 'records', httpTrace: false, showTraceTiming: false, outputsJson: false, internalMetrics: false },
    requestId: (record) => `request-${record.ordinal}`,
    correlationId: (record) => `session-${record.session}`,
    conversationId: (record) => `conversation-${record.conversation}`,
    unixNs: (ns) => ZERO + BigInt(Math.round(ns)),
  }
  change?.(run)
  return run
}

/** A run in which nothing was sent. */
export const emptyRun = (): Promise<RunResult> => sampleRun({ rows: [] })

/** A run in which no request got through. */
export const failedRun = (): Promise<RunResult> => sampleRun({ rows: sampleRows(ROWS).filter((row) => row.outcome !== 'done').map((row, ordinal) => ({ ...row, ordinal })) })

function manifestOf(rows: readonly RowFacts[], model: RunModel): RunManifest {
  const ends = rows.map((row) => row.endNs ?? 0)
  const ended = (outcome: string) => rows.filter((row) => (row.outcome ?? 'done') === outcome).length
  const [done, cancelled, censored] = [ended('done'), ended('cancelled'), ended('censored')]
  const phase: PhaseInfo = {
    index: 0, name: 'profiling', kind: 'profiling', profilingIndex: 0, mode: 'concurrency', options: { concurrency: 10 }, startNs: 0, endNs: Math.max(1e6, ...ends), wasCancelled: false, endedBy: 'requests',
    counts: { due: rows.length, sent: rows.length, skipped: 0, unsent: 0, completed: rows.length - censored, errors: rows.length - done - cancelled - censored, cancelled, censored, retried: 0, sessionsStarted: rows.length, sessionsCompleted: done },
  }
  return {
    schemaVersion: '1', aiperfVersion: '0.1.0', benchmarkId: 'c0ffee123456', startUnixNs: String(ZERO), startTime: '2026-11-30T10:54:21.854Z', endTime: '2026-11-30T10:54:24.000Z', command: "aiperf profile --model 'sample-model' --concurrency 10",
    options: modelAsJson(), explicitOptions: { phases: { profiling: { concurrency: 10 } } }, seed: 1, plugins: [{ package: '@aiperf/plugin-endpoints', version: '0.1.0', contributions: ['endpoint:chat'] }],
    dataset: { loader: 'synthetic', sessions: 100, turns: 100, badLines: 0, skipped: 0 }, tokenizer: { name: 'builtin' }, host: { cpus: 2, node: process.version }, phases: [phase], complete: true, wasCancelled: false,
    endpoint: { type: 'chat', metricsTitle: 'LLM Metrics', streaming: true, urls: model.endpoint.urls, models: model.models, producesTokens: true, tokenizesInput: true, media: [] }, client: {}, notices: [],
  }
}
