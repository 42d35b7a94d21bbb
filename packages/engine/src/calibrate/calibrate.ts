import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { JsonObject, PhaseModel, PhaseResult, RunModel, Ui } from '@aiperf/core'
import { measureOnly } from '../control/benchmark.js'
import type { PluginIndex } from '@aiperf/core/host'
import { cannedAnswer } from './answers.js'
import { keepCalibration } from './cache.js'

/** This client's own floor: what it adds, and what it can do, against a server that does no work. */
export interface CalibrationResult {
  /** Time added to the latency of a single request at a time, ms: service time against the zero-work server. */
  floorLatencyP50Ms: number
  floorLatencyP99Ms: number
  /** Requests and response chunks per second with every worker busy. The chunks come many to a read; one by one they cost more. */
  requestsPerSecond: number
  chunksPerSecond: number
  workers: number
  measuredAt: string
}

/** Long enough for the hot functions to be compiled. */
const WARM_SECONDS = 0.4
const SINGLE_SECONDS = 0.2
const BUSY_SECONDS = 0.4
const BUSY_CONCURRENCY = 32
const MOST_ENTRIES = 16

/** Measures with the run's own endpoint, transport and payloads; takes about a second. */
export async function calibrate(model: RunModel, context: { index: PluginIndex; signal: AbortSignal }): Promise<CalibrationResult> {
  const server = new Worker(new URL('./thread.js', import.meta.url), { workerData: cannedAnswer(model.endpoint.type, model.endpoint.streaming) })
  const directory = mkdtempSync(join(tmpdir(), 'aiperf-calibration-'))
  try {
    const port = await new Promise<number>((resolve, reject) => {
      server.once('message', resolve)
      server.once('error', reject)
    })
    const { result, close } = await measureOnly(against(model, port, directory), { ...context, ui: SILENT, command: 'calibrate', explicit: {}, interrupt: context.signal })
    try {
      return summary(result.phases, result.manifest.client)
    } finally {
      close()
    }
  } finally {
    await server.terminate()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** As `calibrate`, and keeps the result for runs of this kind. */
export async function calibrateAndKeep(model: RunModel, context: { index: PluginIndex; signal: AbortSignal }): Promise<CalibrationResult> {
  const result = await calibrate(model, context)
  keepCalibration(model, result)
  return result
}

function against(model: RunModel, port: number, directory: string): RunModel {
  const { accuracy: ____, ...rest } = model
  const { path: _, waitForModel, resetKvCache: __, serverProfiler: ___, ...endpoint } = model.endpoint
  return {
    ...rest,
    endpoint: { ...endpoint, urls: [`http://127.0.0.1:${port}`], connectionReuse: 'pooled', waitForModel: { ...waitForModel, timeoutSeconds: 0 }, timeoutSeconds: 30 },
    dataset: { ...model.dataset, entries: Math.min(model.dataset.entries ?? MOST_ENTRIES, MOST_ENTRIES) },
    phases: [phase('warmup', 'warmup', BUSY_CONCURRENCY, WARM_SECONDS), phase('single', 'profiling', 1, SINGLE_SECONDS), phase('busy', 'profiling', BUSY_CONCURRENCY, BUSY_SECONDS)],
    artifacts: { ...model.artifacts, dir: directory, dirGiven: true, level: 'summary', outputsJson: false },
    slos: {},
    networkLatency: { automatic: false, intervalSeconds: 1 },
    telemetry: Object.fromEntries(Object.keys(model.telemetry).map((name) => [name, { enabled: false }])),
    runtime: { ...model.runtime, calibrate: false, strict: false },
  }
}

function phase(name: string, kind: PhaseModel['kind'], concurrency: number, durationSeconds: number): PhaseModel {
  return { name, kind, mode: 'concurrency', options: { concurrency }, durationSeconds, graceSeconds: 5, seamless: false, onTurnError: 'continue' }
}

function summary(phases: readonly PhaseResult[], client: JsonObject): CalibrationResult {
  const [single, busy] = phases.filter((p) => p.info.kind === 'profiling')
  const latency = single?.metrics.get('request_latency')
  const threads = (client.threads ?? []) as JsonObject[]
  const chunks = (busy?.metrics.get('inter_chunk_latency')?.count ?? 0) + (busy?.metrics.get('request_count')?.avg ?? 0)
  return {
    floorLatencyP50Ms: latency?.p50 ?? Number.NaN,
    floorLatencyP99Ms: latency?.p99 ?? Number.NaN,
    requestsPerSecond: busy?.metrics.get('request_throughput')?.avg ?? Number.NaN,
    chunksPerSecond: chunks / (busy?.window.seconds ?? Number.NaN),
    workers: threads.filter((t) => t.role === 'worker').length,
    measuredAt: new Date().toISOString(),
  }
}

const SILENT: Ui = { update: () => {}, log: () => {}, close: () => Promise.resolve() }
