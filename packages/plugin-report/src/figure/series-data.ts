import type { PlotRun, RequestTable, TelemetryLine } from '@aiperf/core'
import { averaged, requestsInFlight, tokenRate, type StepCurve } from './curves.js'
import { axisTitle } from './measure.js'
import { short } from './rows.js'

/** One curve over a run's time. */
export interface Series {
  title: string
  rows: { t: number; v: number }[]
  /** Between its points the value holds; otherwise it changes evenly. */
  steps: boolean
  percent: boolean
  /** It counts things: no ticks between whole numbers. */
  whole: boolean
}

const BINS = 160
/** Names of curves made of all requests. */
const CURVES: Record<string, { title: string; make(table: RequestTable): StepCurve | undefined }> = {
  output_token_rate: { title: 'Output tokens per second (tokens/s)', make: tokenRate },
  requests_in_flight: { title: 'Requests in flight', make: requestsInFlight },
}
const ALIASES: Record<string, string> = { output_token_throughput: 'output_token_rate', throughput: 'output_token_rate', active_requests: 'requests_in_flight', effective_concurrency: 'requests_in_flight' }
/** Telemetry that is known under different names. */
const FAMILIES: Record<string, readonly string[]> = { gpu_utilization: ['nvidia_gpu_utilization', 'amd_gfx_activity', 'gpu_utilization'] }

export interface SeriesOptions {
  windowSeconds: number
  aggregation: 'mean' | 'max' | 'min' | 'median'
}

export const curveNames = (): string[] => [...Object.keys(CURVES), ...Object.keys(FAMILIES)]

/** A curve by name: one made of the requests, or a telemetry series. Undefined when the run has none of that name. */
export async function seriesOf(run: PlotRun, name: string, end: number, options: SeriesOptions): Promise<Series | undefined> {
  const curve = CURVES[ALIASES[name] ?? name]
  if (curve) {
    const table = await run.requests(['output_sequence_length', 'time_to_first_token'])
    const steps = table && table.count > 0 ? curve.make(table) : undefined
    if (!steps || steps.seconds.length === 0) return undefined
    return { title: curve.title, rows: stepRows(steps, end), steps: true, percent: false, whole: curve === CURVES['requests_in_flight'] }
  }
  const lines = matching(await run.telemetry(), name)
  if (lines.length === 0) return undefined
  const [first] = lines as [TelemetryLine, ...TelemetryLine[]]
  const mean = lines.length > 1 ? `, mean of ${lines.length}` : ''
  return { title: `${axisTitle({ header: first.header.replace(/ \{.*\}$/, ''), unit: first.unit })}${mean}`, rows: telemetryRows(lines, end, options), steps: false, percent: first.unit === '%', whole: false }
}

/** Series of a name, which may end in `[target]` or `{label=value}` to choose among them. */
export function matching(lines: readonly TelemetryLine[], name: string): TelemetryLine[] {
  const [, base = name, target, labels] = /^([^[{]+)(?:\[([^\]]*)\])?(?:\{([^}]*)\})?$/.exec(name) ?? []
  const wanted = FAMILIES[base] ?? [base, base.replace(/_total$/, '')]
  for (const candidate of wanted) {
    const found = lines.filter((line) => line.name === candidate && (target === undefined || line.target.includes(target)) && (labels === undefined || labels.split(',').every((label) => line.header.includes(label.trim().replaceAll('"', '')))))
    if (found.length > 0) return found
  }
  return []
}

/** Every step while there are few; means over equal stretches when there are many. */
export function stepRows(curve: StepCurve, end: number): { t: number; v: number }[] {
  if (curve.seconds.length <= 2 * BINS) return [...(curve.seconds[0]! > 0 ? [{ t: 0, v: 0 }] : []), ...Array.from(curve.seconds, (t, i) => ({ t: short(t), v: short(curve.values[i]!) }))]
  const bins = averaged(curve, end, BINS)
  return [...bins.map((bin) => ({ t: short(bin.from), v: short(bin.value) })), { t: short(end), v: short(bins.at(-1)!.value) }]
}

/** Several series (GPUs) as their mean; down-sampled to windows when there are more samples than a picture can show. */
export function telemetryRows(lines: readonly TelemetryLine[], end: number, { windowSeconds, aggregation }: SeriesOptions): { t: number; v: number }[] {
  const samples = lines.flatMap((line) => within(line, end))
  const width = samples.length / lines.length > 400 ? Math.max(windowSeconds, end / 300) : lines.length > 1 ? Math.max(end / 300, 0.5) : 0
  if (width === 0) return samples.sort((a, b) => a.t - b.t).map(({ t, v }) => ({ t: short(t), v: short(v) }))
  const windows = new Map<number, number[]>()
  for (const { t, v } of samples) {
    const at = Math.floor(t / width)
    windows.get(at)?.push(v) ?? windows.set(at, [v])
  }
  return [...windows].sort(([a], [b]) => a - b).map(([at, values]) => ({ t: short((at + 0.5) * width), v: short(folded(values, aggregation)) }))
}

/** Samples further apart than this say nothing of the time between, s. */
const LONGEST_GAP = 5

/** The samples from 0 to `end`; at the borders, what the samples on both sides of them come to. */
export function within({ seconds, values }: TelemetryLine, end: number): { t: number; v: number }[] {
  const known = Array.from(seconds, (t, i) => ({ t, v: values[i]! })).filter(({ v }) => Number.isFinite(v))
  const border = (at: number): { t: number; v: number }[] => {
    const next = known.findIndex(({ t }) => t > at)
    if (next < 1 || known[next - 1]!.t === at) return []
    const [a, b] = [known[next - 1]!, known[next]!]
    if (b.t - a.t > LONGEST_GAP) return []
    return [{ t: at, v: a.v + ((b.v - a.v) * (at - a.t)) / (b.t - a.t) }]
  }
  return [...border(0), ...known.filter(({ t }) => t >= 0 && t <= end), ...border(end)]
}

function folded(values: number[], how: SeriesOptions['aggregation']): number {
  if (how === 'max') return Math.max(...values)
  if (how === 'min') return Math.min(...values)
  if (how === 'median') return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
