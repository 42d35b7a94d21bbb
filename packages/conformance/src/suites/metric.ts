import { FACTS, type CurveBuilder, type Metric, type MetricContext, type Outcome, type RecordView, type Scope } from '@aiperf/core'
import { batchFromRows, type RowFacts } from '@aiperf/engine/evaluate'
import { createView } from '@aiperf/engine/journal'
import { ensure, group, shown, type Group } from '../checks.js'
import { pure } from '../pure.js'
import { sampleRows } from '../sample/rows.js'
import { SAMPLE_METRICS, sampleRun } from '../sample/run.js'
import type { Subject } from '../subject.js'

const CONTEXT: MetricContext = {
  streaming: true, useServerTokenCount: false, perChunkUsage: false, networkRttNs: 1e5, objectives: [{ tag: 'request_latency', threshold: 1e9, atLeast: false }], concurrency: 10, thresholds: { oslMismatchPct: 5, oslMismatchTokens: 5, usageDiffPct: 10 }, phaseStartNs: 0,
}
const KINDS = ['record', 'aggregate', 'derived', 'curve']

/** Stands for a metric of another package that one of these requires. */
const standIn = (tag: string): Metric => ({ kind: 'record', tag, header: tag, unit: '', description: 'Stands for a metric of another package.', compute: () => 100 })
/** A record of which nothing is known but that it was sent and ended. */
const bare = (outcome: Outcome): RowFacts => ({ ordinal: 1000, dueNs: 1e6, claimedNs: 1e6, dispatchedNs: 1e6, endNs: 2e6, outcome })

export function metricSuite(subject: Subject<'metric'>): Group[] {
  const metrics = () => subject.create(undefined)
  const batch = batchFromRows([...sampleRows(100), bare('done'), bare('connection'), { ...bare('done'), tokenNs: [] }])
  const eachRow = (metric: Metric, row: (view: RecordView) => void) => {
    const view = createView()
    view.batch = batch
    for (view.row = 0; view.row < batch.rows; view.row++) row(view)
    return metric
  }
  return [
    group('declaration', {
      'tags are unique words, and each metric says what it is': async () => {
        const tags = new Set<string>()
        for (const metric of await metrics()) {
          ensure(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/.test(metric.tag), `the tag ${shown(metric.tag)} is no snake_case word, nor several with points between: it is a key of files`)
          ensure(!tags.has(metric.tag), `two metrics have the tag ${metric.tag}`)
          tags.add(metric.tag)
          ensure(KINDS.includes(metric.kind), `${metric.tag} is of the kind ${shown(metric.kind)}`)
          ensure(metric.header && metric.unit !== undefined && metric.description, `${metric.tag} needs header, unit and description`)
        }
      },
      'the manifest lists these metrics': async () => {
        const listed = new Set(subject.declared.metrics?.map((m) => m.tag))
        for (const { tag } of await metrics()) ensure(listed.has(tag), `aiperf.manifest.json does not list ${tag}: run aiperf-manifest`)
      },
    }),
    group('values', {
      'are numbers or absent, for every record': async () => {
        for (const metric of await metrics()) {
          if (metric.kind !== 'record' && metric.kind !== 'aggregate') continue
          for (const known of [true, false])
            eachRow(metric, (view) => {
              // As the engine does: records of the metric's selection, and only those that have what it requires.
              const selected = metric.records === 'all' || (metric.records === 'error') === !view.success
              const required = (metric.requires ?? []).length > 0
              if (!selected || (required && (!known || view.tokenNs.length === 0))) return
              const value = pure(`compute of ${metric.tag}`, () => metric.compute(view, () => (known ? 1000 : undefined), CONTEXT))
              const numbers = value === undefined ? [] : typeof value === 'number' ? [value] : [...value]
              ensure(numbers.every((n) => Number.isFinite(n)), () => `${metric.tag} is ${shown(numbers.find((n) => !Number.isFinite(n)))} for a record of outcome ${view.outcomeName}: return undefined where there is no value`)
            })
        }
      },
      'are the same for the same record': async () => {
        const [one, two] = [await metrics(), await metrics()]
        one.forEach((metric, i) => {
          const twin = two[i]!
          if (metric.kind !== 'record' || twin.kind !== 'record') return
          const values = (of: typeof metric) => {
            const all: string[] = []
            eachRow(of, (view) => all.push(String(of.compute(view, () => 5, CONTEXT))))
            return all.join(' ')
          }
          ensure(values(metric) === values(twin), `${metric.tag} differs between two readings of the same records`)
        })
      },
      'a derived metric copes with a scope that has nothing': async () => {
        const scope: Scope = { windowSeconds: 0, windowStartNs: 0, windowEndNs: 0, value: () => undefined, statistic: () => undefined, telemetry: () => [], skipped: undefined }
        const full: Scope = { ...scope, windowSeconds: 10, windowEndNs: 10e9, value: () => 100, statistic: () => 100, skipped: 0 }
        for (const metric of await metrics())
          if (metric.kind === 'derived')
            for (const of of [scope, full]) {
              const value = pure(`compute of ${metric.tag}`, () => metric.compute(of, CONTEXT))
              ensure(value === undefined || Number.isFinite(value), `${metric.tag} is ${shown(value)}: return undefined where there is no value`)
            }
      },
      'a curve has finite steps': async () => {
        const number = (n: number) => ensure(Number.isFinite(n), `a step of ${n}`)
        const curve: CurveBuilder = { add: (ns, delta) => (number(ns), number(delta)), addEach: (times, deltas) => (times.forEach(number), typeof deltas === 'number' ? number(deltas) : deltas.forEach(number)) }
        for (const metric of await metrics()) if (metric.kind === 'curve') eachRow(metric, (view) => view.outcomeName === 'done' && view.endNs > 0 && metric.compute(view, curve, CONTEXT))
      },
    }),
    group('in a run', {
      'the engine orders and evaluates them': async () => {
        const all = new Map<string, Metric>()
        for (const { kind, name } of subject.host.index.contributions) if (kind === 'metric') for (const metric of await subject.host.activate('metric', name, undefined)) all.set(metric.tag, metric)
        const own = await metrics()
        for (const metric of [...SAMPLE_METRICS, ...[...all.values()].flatMap((m) => [...(m.requires ?? []), ...(m.optional ?? [])]).map(standIn)]) if (!all.has(metric.tag)) all.set(metric.tag, metric)
        const run = await sampleRun({ metrics: [...all.values()] })
        for (const { tag } of own) {
          const result = run.profiling.metrics.get(tag)
          ensure(!result || Object.values(result).every((value) => typeof value !== 'number' || Number.isFinite(value)), () => `${tag} came out as ${shown(result)}`)
        }
      },
      'facts that it reads exist': async () => {
        const unknown = new Set<string>()
        const known = new Set<string>([...Object.keys(FACTS), 'outcomeName', 'success', 'finishReason', 'error', 'tokenNs', 'tokenCounts', 'field', 'batch', 'row', 'then'])
        for (const metric of await metrics())
          if (metric.kind === 'record' || metric.kind === 'aggregate')
            eachRow(metric, (view) => {
              const watched = new Proxy(view, {
                get(target, name) {
                  if (typeof name === 'string' && !known.has(name)) unknown.add(name)
                  const value = Reflect.get(target, name, target) as unknown
                  return typeof value === 'function' ? (value.bind(target) as unknown) : value
                },
              })
              metric.compute(watched, () => 1000, CONTEXT)
            })
        ensure(unknown.size === 0, `it reads ${[...unknown].join(', ')}, which no record has`)
      },
    }),
  ]
}
