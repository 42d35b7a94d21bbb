import { basename, resolve } from 'node:path'
import type { JsonObject, MetricResult, PhaseResult, RecordView, RequestTable, RunResult } from '@aiperf/core'
import { loadFacts, sweepFacts } from './facts.js'
import { gpuCount, telemetryLines } from './journal-telemetry.js'
import type { RunAbout, UnlabelledRun } from './loaded.js'
import { addPerGpu, type MetricNames } from './metric-names.js'
import { Column, listPart, reduceList, requestTable } from './request-columns.js'

/** Columns that most pictures want, read in the first pass over the records. */
const USUAL = ['time_to_first_token', 'inter_token_latency', 'request_latency', 'schedule_lag', 'input_sequence_length', 'output_sequence_length']

/** A run of ours, from its journal. */
export function journalRun(result: RunResult, directory: string, names: MetricNames): UnlabelledRun {
  const { manifest, profiling } = result
  const originNs = Number.isFinite(profiling.window.startNs) ? profiling.window.startNs : profiling.info.startNs
  const gpus = gpuCount(result)
  const metrics = new Map([...profiling.metrics].filter(([, m]) => !m.internal || result.output.internalMetrics))
  addPerGpu(metrics, gpus)
  const name = basename(resolve(directory))
  const { sweep } = manifest
  return {
    name,
    directory,
    facts: {
      run_name: name,
      model: manifest.endpoint.models.join(', '),
      endpoint_type: manifest.endpoint.type,
      streaming: manifest.endpoint.streaming,
      ...loadFacts(manifest.options['phases']),
      ...(sweep ? sweepFacts(sweep.values) : {}),
    },
    // A search comes back to a point under other numbers.
    point: sweep ? `${sweep.id} ${JSON.stringify(sweep.values)}` : directory,
    ...(sweep ? { sweepId: sweep.id } : {}),
    metrics,
    largerIsBetter: (tag) => names(tag).largerIsBetter,
    gpus,
    slices: profiling.slices.map((slice) => ({ startSeconds: (slice.startNs - originNs) / 1e9, endSeconds: (slice.endNs - originNs) / 1e9, complete: slice.complete, metrics: slice.metrics })),
    telemetry: once(() => telemetryLines(result, originNs)),
    requests: requestReader(result, originNs),
    about: aboutOf(result, originNs),
  }
}

const once = <T>(make: () => T): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= Promise.resolve().then(make))
}

/** Reads columns as they are asked for: the usual ones in one pass, further ones in another. */
function requestReader(result: RunResult, originNs: number): (tags: readonly string[]) => Promise<RequestTable> {
  const known = new Set<string>()
  let rows: Awaited<ReturnType<typeof readRows>> | undefined
  let table: RequestTable | undefined
  return async (tags) => {
    const wanted = [...(rows ? [] : USUAL), ...tags].filter((tag) => !known.has(tag))
    if (table && wanted.length === 0) return table
    const more = await readRows(result, wanted)
    for (const tag of wanted) known.add(tag)
    rows = rows ? { ...rows, values: new Map([...rows.values, ...more.values]) } : more
    return (table = requestTable(rows, originNs))
  }
}

async function readRows(result: RunResult, tags: readonly string[]) {
  const profiling = new Set(result.manifest.phases.filter((p) => p.kind === 'profiling').map((p) => p.index))
  const existing = new Set(result.metrics.filter((m) => m.kind === 'record').map((m) => m.tag))
  const readers = tags.flatMap((tag) => {
    const list = existing.has(tag) ? undefined : listPart(tag)
    return existing.has(tag) || (list && existing.has(list.tag)) ? [{ tag, from: list?.tag ?? tag, part: list?.part, column: new Column() }] : []
  })
  const [startNs, endNs, succeeded, error, session, turn, ordinal] = Array.from({ length: 7 }, () => new Column()) as [Column, Column, Column, Column, Column, Column, Column]
  const errors = ['']
  const numbers = new Map<string, number>([['', 0]])
  for await (const { record, value } of result.records()) {
    if (!profiling.has(record.phase)) continue
    startNs.push(Number.isNaN(record.dispatchedNs) ? record.dueNs : record.dispatchedNs)
    endNs.push(record.endNs)
    succeeded.push(record.success ? 1 : 0)
    const kind = record.success ? '' : (record.error?.type ?? record.outcomeName)
    let at = numbers.get(kind)
    if (at === undefined) {
      numbers.set(kind, (at = errors.length))
      errors.push(kind)
    }
    error.push(at)
    session.push(record.phase * 2 ** 32 + record.session)
    turn.push(record.turn)
    ordinal.push(record.ordinal)
    for (const { from, part, column } of readers) {
      const got = value(from)
      column.push(typeof got === 'number' ? got : got === undefined || part === undefined ? Number.NaN : reduceList(got, part))
    }
  }
  const ordinals = ordinal.done()
  return {
    // Ids follow from the ordinal alone.
    id: (row: number) => result.requestId({ ordinal: ordinals[row]! } as RecordView),
    startNs: startNs.done(), endNs: endNs.done(), succeeded: succeeded.done(), error: error.done(), errors, session: session.done(), turn: turn.done(),
    values: new Map(readers.map(({ tag, column }) => [tag, column.done()] as const)),
  }
}

function aboutOf({ manifest, profiling, phases, verdict }: RunResult, originNs: number): RunAbout {
  const { endpoint, plugins } = manifest
  return {
    program: `AIPerf ${manifest.aiperfVersion}`,
    benchmarkId: manifest.benchmarkId,
    startTime: manifest.startTime,
    ...(manifest.endTime === undefined ? {} : { endTime: manifest.endTime }),
    command: manifest.command,
    endpoint: { type: endpoint.type, title: endpoint.metricsTitle, streaming: endpoint.streaming, urls: endpoint.urls, models: endpoint.models },
    verdict,
    complete: manifest.complete,
    ...(manifest.incompleteReason === undefined ? {} : { incompleteReason: manifest.incompleteReason }),
    wasCancelled: manifest.wasCancelled,
    errors: profiling.errors.map(({ error: { type, code, message }, count }) => ({ type, ...(code === undefined ? {} : { code }), message, count })),
    absent: profiling.absent,
    windowSeconds: profiling.window.seconds,
    ...(profiling.steady ? { steady: steadyOf(profiling.steady, originNs) } : {}),
    phases: phases.map(({ info }) => ({ name: info.name, kind: info.kind, mode: info.mode, seconds: (info.endNs - info.startNs) / 1e9, endedBy: info.endedBy, counts: { ...info.counts } })),
    notices: manifest.notices,
    manifest: { ...(manifest as unknown as JsonObject), plugins: plugins.map(({ contributions, ...rest }) => ({ ...rest, contributions: contributions.length })) as unknown as JsonObject[] },
  }
}

const steadyOf = (steady: NonNullable<PhaseResult['steady']>, originNs: number): { startSeconds: number; endSeconds: number; metrics: ReadonlyMap<string, MetricResult> } => ({
  startSeconds: (steady.startNs - originNs) / 1e9,
  endSeconds: (steady.endNs - originNs) / 1e9,
  metrics: steady.metrics,
})
