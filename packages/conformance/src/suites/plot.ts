import type { Figure, Json, JsonObject, MetricResult, NoFigure, PlotRun, PlotStyle, RequestTable, TelemetryLine } from '@aiperf/core'
import type { CommonCase } from '../cases.js'
import { ensure, group, shown, type Group } from '../checks.js'
import { checkValue } from '@aiperf/core/options'
import { sampleRun } from '../sample/run.js'
import { sampleTrial } from '../sample/trials.js'
import { randomOf, type Subject } from '../subject.js'

const STYLE: PlotStyle = { theme: 'light', series: ['#4c78a8', '#f58518', '#54a24b', '#e45756'], text: '#222', muted: '#888', background: '#fff', bad: '#c00', baseline: '#666' }

export function plotSuite(subject: Subject<'plot'>, given: CommonCase): Group[] {
  const { meta } = subject
  const draw = async (runs: PlotRun[], style = STYLE): Promise<Figure | NoFigure> => {
    const plot = await subject.create({ options, random: randomOf(1) })
    const figure = await plot.draw(runs, style)
    const isAbsent = typeof (figure as NoFigure)?.absent === 'string' && (figure as NoFigure).absent !== ''
    ensure(isAbsent || (typeof (figure as Figure)?.spec === 'object' && typeof (figure as Figure).description === 'string'), `draw returned ${shown(figure)}, expected a figure or the reason why there is none`)
    return figure
  }
  // A kind of plot that other names make plots of needs options before it can draw anything.
  const options = subject.options({ ...(meta['options'] as JsonObject | undefined), ...given.options })
  const complete = subject.declared.options === undefined || checkValue(subject.declared.options, options).length === 0
  const runs = async () => (meta['scope'] === 'run' ? [await plotRun('one', 10)] : [await plotRun('one', 5), await plotRun('two', 10), await plotRun('three', 20)])
  return [
    group('figures', {
      'the manifest says what is shown': () => {
        ensure(typeof meta['title'] === 'string' && meta['title'] !== '', 'the manifest entry has no title')
        ensure(['run', 'runs', 'any'].includes(meta['scope'] as string), `the scope is ${shown(meta['scope'])}, expected run, runs or any`)
      },
      ...(complete
        ? {
            'runs become a Vega-Lite specification': async () => {
              const figure = await draw(await runs())
              ensure(!('absent' in figure), () => `nothing was drawn of runs that have every usual metric: ${(figure as NoFigure).absent}`)
              const { spec, description } = figure
              ensure(description.length > 10, 'the description says nothing: it is all that somebody who cannot see the picture has')
              ensure(['mark', 'layer', 'facet', 'hconcat', 'vconcat', 'concat', 'repeat'].some((key) => key in spec), `the specification has neither mark nor layers: ${shown(spec)}`)
              ensure(!hasNoNumber(spec), 'the specification holds NaN or Infinity, which JSON has not')
              ensure(!('config' in spec) && !('$schema' in spec), 'config and $schema are the host\'s')
            },
            'the same runs become the same figure': async () => {
              const some = await runs()
              ensure(JSON.stringify(await draw(some)) === JSON.stringify(await draw(some)), 'two figures of the same runs differ')
            },
            'runs without what it needs are told': async () => {
              const bare = (run: PlotRun): PlotRun => ({ ...run, metrics: new Map(), slices: [], gpus: undefined, telemetry: async () => [], requests: async () => undefined })
              await draw((await runs()).map(bare))
              await draw([await plotRun('one', 5)])
              await draw(await runs(), { ...STYLE, theme: 'dark', background: '#000', text: '#eee' })
            },
          }
        : {}),
    }),
  ]
}

function hasNoNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value as object).some((item: Json) => hasNoNumber(item))
}

let sample: ReturnType<typeof sampleRun> | undefined

/** A run as plots see it, over made-up records. */
async function plotRun(label: string, concurrency: number): Promise<PlotRun> {
  const result = await (sample ??= sampleRun())
  const wanted = new Map<string, number[]>()
  const starts: number[] = []
  const ends: number[] = []
  const succeeded: number[] = []
  const errors: string[] = []
  for await (const { record, value } of result.records()) {
    starts.push(record.dispatchedNs / 1e9)
    ends.push(record.endNs / 1e9)
    succeeded.push(record.success ? 1 : 0)
    errors.push(record.error?.type ?? '')
    for (const { tag } of result.metrics) {
      const one = value(tag)
      const column = wanted.get(tag) ?? []
      column.push(typeof one === 'number' ? one : Number.NaN)
      wanted.set(tag, column)
    }
  }
  const table: RequestTable = {
    count: starts.length, startSeconds: Float64Array.from(starts), endSeconds: Float64Array.from(ends), succeeded: Uint8Array.from(succeeded), error: (i) => errors[i] ?? '', id: (i) => `request-${i}`,
    values: (tag) => (tag === 'schedule_lag' ? Float64Array.from(starts, (_, i) => 0.01 * (i % 7)) : wanted.get(tag)?.some((n) => Number.isFinite(n)) ? Float64Array.from(wanted.get(tag)!) : undefined), session: Uint32Array.from(starts, (_, i) => i), turn: new Uint16Array(starts.length),
  }
  const usual = sampleTrial({ concurrency }, 0).metrics
  const metrics = new Map<string, MetricResult>([...usual, ...result.profiling.metrics].map(([tag, row]) => [tag, { ...row, ...(row.avg === undefined ? {} : { avg: row.avg * (1 + concurrency / 100) }) }]))
  const seconds = Float64Array.from({ length: 20 }, (_, i) => i / 20)
  const line = (name: string, unit: string, subject?: string): TelemetryLine => ({ source: 'dcgm', target: 'localhost', name, header: name, unit, ...(subject === undefined ? {} : { subject }), seconds, values: seconds.map((s) => 300 + 10 * s) })
  return {
    label, name: label, directory: `/runs/${label}`, facts: { model: 'sample-model', concurrency, run_name: label }, point: label, metrics, largerIsBetter: (tag) => tag.includes('throughput'), gpus: 1,
    slices: [0, 1, 2].map((i) => ({ startSeconds: i / 5, endSeconds: (i + 1) / 5, complete: i < 2, metrics })),
    telemetry: async () => [line('nvidia_power_usage', 'W', 'GPU 0'), line('nvidia_memory_used', 'GB', 'GPU 0'), line('nvidia_gpu_utilization', '%', 'GPU 0'), line('vllm:num_requests_running', ''), line('vllm:kv_cache_usage_perc', ''), { ...line('outlet_power', 'W', 'outlet 1'), source: 'meter' }],
    requests: async () => table,
  }
}
