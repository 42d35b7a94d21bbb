import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AiperfError, type Metric, type MetricContext, type RunManifest, type RunModel, type RunResult } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import { evaluate } from '../evaluate/index.js'
import { JOURNAL, readJournal, type JournalState } from '../journal/read.js'
import { requestId, sessionId } from '../shared/ids.js'
import { readInputs } from '../store/inputs.js'
import { readTelemetry, telemetryJudge } from '../telemetry/index.js'
import { addScores, gradeRun } from './accuracy.js'
import { answerTexts, type AnswerText } from './answers.js'
import { RawReader } from './raw.js'
import { orderedRecords } from './records.js'

/** Records of smaller runs stay in memory between the results and the files; larger runs are read again. */
const KEPT_BYTES = 24 * 2 ** 20

export const MANIFEST = 'manifest.json'

/** The manifest as kept beside the journal: what files show, and what only an export needs. */
export interface KeptManifest extends RunManifest {
  internal: { model: RunModel; runHex: string; networkRttNs?: number }
}

export function readManifest(directory: string): KeptManifest {
  const path = join(directory, JOURNAL, MANIFEST)
  if (!existsSync(path))
    throw new AiperfError('E_JOURNAL', `${directory} is no run's directory: it has no ${JOURNAL}/${MANIFEST}`, {
      hint: 'name the folder that a run printed as its results folder',
    })
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KeptManifest
  } catch (cause) {
    throw new AiperfError('E_JOURNAL', `${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

export interface LoadedResult {
  result: RunResult
  journal: JournalState
  /** What could not be made of the journal; all else is there. */
  faults: AiperfError[]
  close(): void
}

/** Evaluates the journal of a run's directory. Everything comes from the directory: online and offline are one way. */
export async function loadResult(directory: string, host: Host, metrics: readonly Metric[]): Promise<LoadedResult> {
  const { internal, ...manifest } = readManifest(directory)
  const { model, runHex } = internal
  // A run that ends says how: one that does not was killed.
  if (!manifest.complete && !manifest.wasCancelled) manifest.incompleteReason ??= 'the program ended before the run did: it was killed, or its machine stopped'
  const state: JournalState = { rows: 0, cut: [] }
  const conversations = JSON.parse(readFileSync(join(directory, JOURNAL, 'conversations.json'), 'utf8')) as string[]
  const telemetry = readTelemetry(join(directory, JOURNAL))
  const evaluation = await evaluate({
    manifest,
    telemetry,
    judge: await telemetryJudge(host, telemetry),
    batches: () => {
      state.rows = 0
      state.cut = []
      return readJournal(directory, state)
    },
    keepBytes: KEPT_BYTES,
    metrics,
    model,
    accuracy: model.accuracy !== undefined,
    metricThresholds: model.metrics.options as Partial<MetricContext['thresholds']>,
    ...(internal.networkRttNs === undefined ? {} : { networkRttNs: internal.networkRttNs }),
  })
  if (state.cut.length > 0 && manifest.complete) {
    manifest.complete = false
    manifest.incompleteReason = 'the journal was cut'
  }
  const raw = new RawReader(directory)
  const answers = () => answerTexts(raw, host, model)
  const records = () => orderedRecords(directory, evaluation, manifest)
  const faults: AiperfError[] = []
  const accuracy = model.accuracy && (await gradeRun({ directory, manifest: { ...manifest, internal }, host, records, answers }).catch((error: Error) => {
    if (error.name !== 'AiperfError') throw error
    faults.push(error as AiperfError)
  }))
  if (accuracy) addScores(evaluation.profiling, accuracy)
  const { artifacts } = model
  const startUnixNs = BigInt(manifest.startUnixNs)
  const result: RunResult = {
    manifest,
    phases: evaluation.phases,
    profiling: evaluation.profiling,
    ...(evaluation.warmup ? { warmup: evaluation.warmup } : {}),
    verdict: evaluation.verdict,
    metrics: evaluation.metrics,
    records,
    raw: async function* () {
      yield* raw.exchanges()
    },
    ...(artifacts.outputsJson && raw.any ? { texts: () => texts(answers()) } : {}),
    inputs: () => readInputs(join(directory, JOURNAL, 'inputs.bin')),
    telemetry,
    ...(accuracy ? { accuracy } : {}),
    additions: {},
    output: {
      level: artifacts.level,
      ...(artifacts.prefix === undefined ? {} : { prefix: artifacts.prefix }),
      ...(artifacts.sliceSeconds === undefined ? {} : { sliceSeconds: artifacts.sliceSeconds }),
      httpTrace: artifacts.httpTrace,
      showTraceTiming: artifacts.showTraceTiming,
      outputsJson: artifacts.outputsJson,
      internalMetrics: model.metrics.showInternal,
    },
    requestId: (record) => requestId(runHex, record.ordinal),
    correlationId: (record) => sessionId(runHex, record.phase, record.session),
    conversationId: (record) => conversations[record.conversation] ?? String(record.conversation),
    unixNs: (ns) => startUnixNs + BigInt(Math.round(ns)),
  }
  return { result, journal: state, faults, close: () => raw.close() }
}

async function* texts(answers: AsyncIterable<AnswerText>): AsyncGenerator<{ ordinal: number; text: string }> {
  for await (const { ordinal, reasoning, text } of answers) if (reasoning + text !== '') yield { ordinal, text: reasoning + text }
}
