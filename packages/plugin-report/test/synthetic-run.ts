import type { MetricResult, RequestTable, Statistics, TelemetryLine } from '@aiperf/core'
import { createRandom } from '@aiperf/core'
import { quantile } from '../src/figure/quantiles.js'
import type { LoadedRun } from '../src/runs/loaded.js'
import { requestTable } from '../src/runs/request-columns.js'

export interface Shape {
  requests: number
  concurrency?: number
  failed?: number
  /** Every so many requests one is fifty times slower. */
  slowEvery?: number
  label?: string
  facts?: LoadedRun['facts']
  point?: string
  seed?: number
  slices?: number
  gpus?: number
}

const HEADERS: Record<string, [header: string, unit: string]> = {
  time_to_first_token: ['Time to First Token', 'ms'], inter_token_latency: ['Inter Token Latency', 'ms'], request_latency: ['Request Latency', 'ms'],
  schedule_lag: ['Schedule Lag', 'ms'], input_sequence_length: ['Input Sequence Length', 'tokens'], output_sequence_length: ['Output Sequence Length', 'tokens'],
}

/** A run as it might have been: a closed loop whose latency grows with the concurrency. */
export function syntheticRun(shape: Shape): LoadedRun {
  const { requests, concurrency = 8, failed = 0, label = `concurrency ${concurrency}`, seed = 1 } = shape
  const random = createRandom(seed, 'synthetic run')
  const columns = new Map(Object.keys(HEADERS).map((tag) => [tag, new Float64Array(requests).fill(Number.NaN)]))
  const start = new Float64Array(requests)
  const end = new Float64Array(requests)
  const free = new Float64Array(concurrency)
  const failures = new Set(Array.from({ length: failed }, (_, i) => Math.floor(((i + 0.5) * requests) / Math.max(1, failed))))
  for (let i = 0; i < requests; i++) {
    const slot = free.indexOf(Math.min(...free))
    const osl = 20 + Math.floor(random.next() * 60)
    const isl = 100 + Math.floor(random.next() * 900)
    const slow = shape.slowEvery !== undefined && i % shape.slowEvery === shape.slowEvery - 1 ? 50 : 1
    const ttft = (12 + isl / 20 + 2 * concurrency) * (0.8 + 0.4 * random.next()) * slow
    const itl = (5 + concurrency / 8) * (0.9 + 0.2 * random.next())
    start[i] = free[slot]!
    const ok = !failures.has(i)
    end[i] = start[i]! + (ok ? ttft + itl * (osl - 1) : 30) * 1e6
    free[slot] = end[i]!
    const values: Record<string, number> = { time_to_first_token: ttft, inter_token_latency: itl, request_latency: ttft + itl * (osl - 1), schedule_lag: 0.02 + 0.1 * random.next() ** 8, input_sequence_length: isl, output_sequence_length: osl }
    if (ok) for (const [tag, value] of Object.entries(values)) columns.get(tag)![i] = value
  }
  const table = requestTable({
    startNs: start, endNs: end, succeeded: Float64Array.from(start, (_, i) => (failures.has(i) ? 0 : 1)), error: Float64Array.from(start, (_, i) => (failures.has(i) ? 1 : 0)), errors: ['', 'Service Unavailable'],
    session: Float64Array.from(start, (_, i) => i), turn: new Float64Array(requests), values: columns,
  })
  const seconds = Math.max(1e-9, ...end) / 1e9
  const metrics = metricsOf(table, seconds)
  const slices = Array.from({ length: shape.slices ?? 0 }, (_, i) => ({ startSeconds: i, endSeconds: i + 1, complete: i + 1 < shape.slices!, metrics: new Map([...metrics].map(([tag, m]) => [tag, { ...m, avg: (m.avg ?? 1) * (i === 3 ? 4 : 1 + 0.05 * (i % 3)) }])) }))
  const telemetry: TelemetryLine[] = Array.from({ length: shape.gpus ?? 0 }, (_, g) => {
    const at = Float64Array.from({ length: 60 }, (_, i) => (i * seconds) / 60)
    return { source: 'dcgm', target: 'localhost:9400', name: 'nvidia_gpu_utilization', header: 'GPU Utilization', unit: '%', subject: `GPU ${g}`, seconds: at, values: at.map((_, i) => 60 + 10 * g + (i % 7)) }
  })
  if (shape.gpus) metrics.set('output_token_throughput_per_gpu', { ...metrics.get('output_token_throughput')!, tag: 'output_token_throughput_per_gpu', header: 'Output Token Throughput Per GPU', unit: 'tokens/sec/GPU', avg: metrics.get('output_token_throughput')!.avg! / shape.gpus })
  return {
    label, name: label.replaceAll(' ', '_'), directory: `/runs/${label.replaceAll(' ', '_')}-${seed}`,
    facts: { run_name: label, model: 'model-a', endpoint_type: 'chat', streaming: true, concurrency, ...shape.facts },
    point: shape.point ?? `${label} ${seed}`,
    metrics, largerIsBetter: (tag) => tag.includes('throughput'), gpus: shape.gpus, slices,
    telemetry: () => Promise.resolve(telemetry),
    requests: () => Promise.resolve(table),
    about: { program: 'AIPerf 0.1.0', endpoint: { type: 'chat', title: 'LLM Metrics', streaming: true, urls: [], models: ['model-a'] }, complete: true, wasCancelled: false, errors: [], absent: [], phases: [], notices: [], manifest: {} },
  }
}

function metricsOf(table: RequestTable, seconds: number): Map<string, MetricResult> {
  const metrics = new Map<string, MetricResult>()
  for (const [tag, [header, unit]] of Object.entries(HEADERS)) {
    const sorted = (table.values(tag) ?? new Float64Array()).filter((v) => !Number.isNaN(v)).sort()
    if (sorted.length === 0) continue
    const sum = sorted.reduce((a, b) => a + b, 0)
    const avg = sum / sorted.length
    const std = Math.sqrt(sorted.reduce((total, v) => total + (v - avg) ** 2, 0) / Math.max(1, sorted.length - 1))
    const percentiles = Object.fromEntries([1, 5, 10, 25, 50, 75, 90, 95, 99].map((p) => [`p${p}`, quantile(sorted, p / 100)])) as Statistics
    metrics.set(tag, { tag, header, unit, group: 'default', kind: 'record', count: sorted.length, sum, avg, std, min: sorted[0]!, max: sorted.at(-1)!, ...percentiles })
  }
  const ok = table.succeeded.reduce((n, v) => n + v, 0)
  const single = (tag: string, header: string, unit: string, avg: number): void => void metrics.set(tag, { tag, header, unit, group: 'default', kind: 'derived', avg })
  single('request_count', 'Request Count', 'requests', ok)
  if (ok > 0) {
    single('request_throughput', 'Request Throughput', 'requests/sec', ok / seconds)
    single('output_token_throughput', 'Output Token Throughput', 'tokens/sec', (metrics.get('output_sequence_length')?.sum ?? 0) / seconds)
    metrics.set('output_token_throughput_per_user', { tag: 'output_token_throughput_per_user', header: 'Output Token Throughput Per User', unit: 'tokens/sec/user', group: 'default', kind: 'record', avg: 1000 / metrics.get('inter_token_latency')!.avg!, p50: 1000 / metrics.get('inter_token_latency')!.p50! })
  }
  return metrics
}
