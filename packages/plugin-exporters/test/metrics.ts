import type { Metric, MetricResult, RecordMetric, RecordView, Statistics } from '@aiperf/core'

const record = (m: Omit<RecordMetric, 'kind' | 'description'>): RecordMetric => ({ kind: 'record', description: `${m.header} of a request.`, ...m })
const ttft = (r: RecordView) => (r.tokenNs.length > 0 ? r.firstTokenNs - r.dispatchedNs : undefined)
const latency = (r: RecordView) => (r.tokenNs.length > 0 ? r.lastTokenNs - r.dispatchedNs : undefined)
const itl = (r: RecordView) => (r.outputTokens >= 2 ? (latency(r)! - ttft(r)!) / (r.outputTokens - 1) : undefined)
const time = { unit: 'ns', displayUnit: 'ms' }
const tokens = { unit: 'tokens' }

/** A few metrics under the names and units that files of the field use, in order of evaluation. */
export const METRICS: readonly Metric[] = [
  record({ tag: 'request_latency', header: 'Request Latency', ...time, group: 'default', order: 300, compute: latency }),
  record({ tag: 'time_to_first_token', header: 'Time to First Token', ...time, group: 'default', order: 100, compute: ttft }),
  record({ tag: 'time_to_second_token', header: 'Time to Second Token', ...time, group: 'default', order: 200, compute: (r) => (r.tokenNs.length > 1 ? r.tokenNs[1]! - r.tokenNs[0]! : undefined) }),
  record({ tag: 'inter_token_latency', header: 'Inter Token Latency', ...time, group: 'default', order: 400, compute: itl }),
  record({ tag: 'inter_chunk_latency', header: 'Inter Chunk Latency', ...time, group: 'none', compute: (r) => (r.tokenNs.length > 1 ? r.tokenNs.slice(1).map((ns, i) => ns - r.tokenNs[i]!) : undefined) }),
  record({ tag: 'output_token_throughput_per_user', header: 'Output Token Throughput Per User', unit: 'tokens/sec/user', group: 'default', order: 500, largerIsBetter: true, compute: (r) => { const value = itl(r); return value === undefined || value === 0 ? undefined : 1e9 / value } }),
  record({ tag: 'input_sequence_length', header: 'Input Sequence Length', ...tokens, group: 'default', order: 700, compute: (r) => r.inputTokens }),
  record({ tag: 'output_sequence_length', header: 'Output Sequence Length', ...tokens, group: 'default', order: 600, compute: (r) => (r.outputTokens > 0 ? r.outputTokens : undefined) }),
  record({ tag: 'output_token_count', header: 'Output Token Count', ...tokens, group: 'none', compute: (r) => (r.outputTokens > 0 ? r.outputTokens : undefined) }),
  record({ tag: 'http_req_waiting', header: 'HTTP Waiting (TTFB)', ...time, group: 'http', order: 2040, compute: (r) => (r.tokenNs.length > 0 ? r.firstByteNs - r.writtenNs : undefined) }),
  record({ tag: 'usage_prompt_tokens', header: 'Usage Prompt Tokens', ...tokens, group: 'usage', order: 1000, compute: (r) => r.usagePrompt }),
  record({ tag: 'schedule_lag', header: 'Schedule Lag', ...time, group: 'none', compute: (r) => r.dispatchedNs - r.dueNs }),
  record({ tag: 'error_isl', header: 'Error Input Sequence Length', ...tokens, group: 'none', records: 'error', compute: (r) => r.inputTokens }),
  record({ tag: 'requested_osl', header: 'Requested OSL', ...tokens, group: 'none', internal: true, compute: () => 20 }),
  record({ tag: 'network_rtt', header: 'Network RTT', ...time, group: 'none', noIndividualRecords: true, compute: () => undefined }),
  { tag: 'request_count', header: 'Request Count', unit: 'requests', kind: 'aggregate', fold: 'sum', group: 'default', order: 1100, description: 'Requests that succeeded.', compute: () => 1 },
  { tag: 'good_request_count', header: 'Good Request Count', unit: 'requests', kind: 'aggregate', fold: 'sum', group: 'none', individualRecords: true, description: 'Requests that met every objective.', compute: (r) => (r.lastTokenNs - r.dispatchedNs < 200e6 ? 1 : 0) },
  { tag: 'error_request_count', header: 'Error Request Count', unit: 'requests', kind: 'aggregate', fold: 'sum', records: 'error', group: 'none', description: 'Requests that failed.', compute: () => 1 },
  { tag: 'request_throughput', header: 'Request Throughput', unit: 'requests/sec', kind: 'derived', group: 'default', order: 900, description: 'Requests per second.', compute: () => undefined },
  { tag: 'output_token_throughput', header: 'Output Token Throughput', unit: 'tokens/sec', kind: 'derived', group: 'default', order: 800, description: 'Output tokens per second.', compute: () => undefined },
  { tag: 'input_token_throughput', header: 'Input Token Throughput', unit: 'tokens/sec', kind: 'derived', group: 'default', order: 805, description: 'Input tokens per second.', compute: () => undefined },
  { tag: 'request_error_rate', header: 'Request Error Rate', unit: '%', kind: 'derived', group: 'default', order: 1080, description: 'Share of failed requests.', compute: () => undefined },
  { tag: 'benchmark_duration', header: 'Benchmark Duration', unit: 'ns', displayUnit: 'sec', kind: 'derived', group: 'none', description: 'Length of the window.', compute: () => undefined },
  { tag: 'goodput', header: 'Goodput', unit: 'requests/sec', kind: 'derived', group: 'default', order: 1000, description: 'Good requests per second.', compute: () => undefined },
  { tag: 'effective_concurrency', header: 'Effective Concurrency', unit: 'requests', kind: 'curve', group: 'effective', description: 'Requests in flight over time.', compute: () => {} },
]

const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const

function statistics(values: number[]): Statistics {
  const sorted = values.toSorted((a, b) => a - b)
  const sum = values.reduce((a, b) => a + b, 0)
  const avg = sum / values.length
  const result: Statistics = { avg, min: sorted[0]!, max: sorted.at(-1)!, sum, count: values.length, std: Math.sqrt(values.reduce((a, b) => a + (b - avg) ** 2, 0) / values.length) }
  for (const p of PERCENTILES) {
    const at = (p / 100) * (sorted.length - 1)
    const low = Math.floor(at)
    result[`p${p}`] = sorted[low]! + (at - low) * ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!)
  }
  return result
}

/** Value in the display unit, as records give it. */
export function displayValue(metric: Metric, record: RecordView): number | Float64Array | undefined {
  if (metric.kind === 'derived' || metric.kind === 'curve') return undefined
  const wanted = metric.records ?? 'success'
  if (wanted !== 'all' && (wanted === 'success') !== record.success) return undefined
  const value = metric.compute(record, () => undefined, undefined as never)
  if (value === undefined || typeof value !== 'number') return value?.map((v) => v / 1e6)
  if (Number.isNaN(value)) return undefined
  return metric.unit === 'ns' && metric.displayUnit === 'ms' ? value / 1e6 : value
}

/** Results of the metrics over some records. */
export function results(records: readonly RecordView[], windowSeconds: number): Map<string, MetricResult> {
  const map = new Map<string, MetricResult>()
  const put = (metric: Metric, stats: Statistics) => {
    map.set(metric.tag, { tag: metric.tag, header: metric.header, unit: metric.displayUnit ?? metric.unit, kind: metric.kind, group: metric.group ?? 'default', ...(metric.order === undefined ? {} : { order: metric.order }), ...(metric.internal ? { internal: true } : {}), ...stats })
  }
  for (const metric of METRICS) {
    const values = records.map((r) => displayValue(metric, r)).filter((v) => v !== undefined).flatMap((v) => (typeof v === 'number' ? [v] : [...v]))
    if (metric.kind === 'record' && values.length > 0) put(metric, statistics(values))
    if (metric.kind === 'aggregate' && values.length > 0) put(metric, { avg: values.reduce((a, b) => a + b, 0) })
  }
  const sum = (tag: string) => map.get(tag)?.sum
  const count = map.get('request_count')?.avg ?? 0
  const errors = map.get('error_request_count')?.avg ?? 0
  const good = map.get('good_request_count')?.avg
  const derived: Record<string, number | undefined> = {
    request_throughput: count > 0 ? count / windowSeconds : undefined,
    output_token_throughput: sum('output_sequence_length') === undefined ? undefined : sum('output_sequence_length')! / windowSeconds,
    input_token_throughput: sum('input_sequence_length') === undefined ? undefined : sum('input_sequence_length')! / windowSeconds,
    request_error_rate: count + errors > 0 ? (100 * errors) / (count + errors) : undefined,
    benchmark_duration: count + errors > 0 ? windowSeconds : undefined,
    goodput: good === undefined ? undefined : good / windowSeconds,
  }
  for (const metric of METRICS) {
    const value = derived[metric.tag]
    if (value !== undefined) put(metric, { avg: value })
    if (metric.kind === 'curve' && count > 0) put(metric, { avg: 3.48, min: 0, max: 4, std: 0.9, p50: 4, p90: 4, p95: 4, p99: 4 })
  }
  return map
}
