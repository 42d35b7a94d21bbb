import type { FactName, JsonObject, MetricResult, Outcome, PhaseInfo, RunManifest, RunModel, TelemetryResult } from '@aiperf/core'
import { batchFromRows, evaluate, type EvaluateInput, type Evaluation, type RowFacts } from '@aiperf/engine/evaluate'
import { allMetrics } from './metrics.js'

export const MS = 1e6

/** Facts in milliseconds: what people write by hand. */
export type MsFacts = Omit<RowFacts, 'tokenNs'> & { tokensMs?: readonly number[] }

const TIMES: readonly FactName[] = ['dueNs', 'claimedNs', 'dispatchedNs', 'writtenNs', 'assignedNs', 'dnsNs', 'tcpNs', 'tlsNs', 'firstByteNs', 'headNs', 'firstTokenNs', 'firstOutputNs', 'lastTokenNs', 'endNs']

export function inMs({ tokensMs, ...facts }: MsFacts): RowFacts {
  const row: Record<string, unknown> = { ...facts, ...(tokensMs ? { tokenNs: tokensMs.map((t) => t * MS) } : {}) }
  for (const name of TIMES) if (name !== 'outcome' && facts[name as keyof typeof facts] !== undefined) row[name] = (facts[name as keyof typeof facts] as number) * MS
  return row as RowFacts
}

export const FAILED = (outcome: Outcome = 'http_error', more: MsFacts = {}): MsFacts => ({
  outcome,
  error: { type: 'Service Unavailable', code: 503, message: 'overloaded', category: outcome },
  ...more,
})

export interface Options {
  streaming?: boolean
  mode?: string
  slos?: Record<string, number>
  useServerTokenCount?: boolean
  perChunkUsage?: boolean
  experimental?: boolean
  media?: string[]
  producesVideos?: boolean
  networkRttMs?: number
  sliceSeconds?: number
  phases?: Partial<PhaseInfo>[]
  client?: JsonObject
  calibration?: JsonObject
  complete?: boolean
  limits?: EvaluateInput['limits']
  telemetry?: TelemetryResult[]
  metrics?: EvaluateInput['metrics']
  batchRows?: number
}

const COUNTS = { due: 0, sent: 0, skipped: 0, unsent: 0, completed: 0, errors: 0, cancelled: 0, censored: 0, retried: 0, sessionsStarted: 0, sessionsCompleted: 0 }

export function inputOf(rows: readonly RowFacts[], options: Options = {}): EvaluateInput {
  const mode = options.mode ?? 'concurrency'
  const phases = (options.phases ?? [{}]).map((phase, index): PhaseInfo => ({
    index,
    name: 'profiling',
    kind: 'profiling',
    mode,
    options: {},
    startNs: 0,
    endNs: 1e12,
    wasCancelled: false,
    endedBy: 'requests',
    ...phase,
    counts: { ...COUNTS, ...phase.counts },
  }))
  const manifest = {
    phases,
    complete: options.complete ?? true,
    wasCancelled: false,
    endpoint: {
      type: 'chat',
      streaming: options.streaming ?? true,
      urls: [],
      models: ['m'],
      ...(options.media ? { media: options.media } : {}),
      ...(options.producesVideos ? { producesVideos: true } : {}),
    },
    client: options.client ?? {},
    ...(options.calibration ? { calibration: options.calibration } : {}),
    notices: [],
  } as unknown as RunManifest
  const model = {
    endpoint: { useServerTokenCount: options.useServerTokenCount ?? false, perChunkUsage: options.perChunkUsage ?? false },
    phases: phases.map(({ kind, options: phaseOptions }) => ({ kind, options: phaseOptions })),
    artifacts: options.sliceSeconds === undefined ? {} : { sliceSeconds: options.sliceSeconds },
    slos: options.slos ?? {},
    metrics: { experimental: options.experimental ?? false, showInternal: false },
    networkLatency: { automatic: false },
  } as unknown as RunModel
  const size = options.batchRows ?? 1000
  const batches = Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => batchFromRows(rows.slice(i * size, (i + 1) * size)))
  return {
    manifest,
    model,
    metrics: options.metrics ?? allMetrics,
    batches: () => batches,
    ...(options.networkRttMs === undefined ? {} : { networkRttNs: options.networkRttMs * MS }),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.telemetry ? { telemetry: options.telemetry } : {}),
  }
}

export const run = (rows: readonly RowFacts[], options: Options = {}): Promise<Evaluation> => evaluate(inputOf(rows, options))

/** Values of the profiling phase by tag: the average of each metric, in display unit. */
export async function averages(rows: readonly MsFacts[], options: Options = {}): Promise<Record<string, number | undefined>> {
  const { profiling } = await run(rows.map(inMs), options)
  return Object.fromEntries([...profiling.metrics].map(([tag, result]: [string, MetricResult]) => [tag, result.avg]))
}
