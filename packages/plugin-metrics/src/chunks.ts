import { defineMetric, type MetricContext, type RecordValues, type RecordView } from '@aiperf/core'
import { elapsed, outputLength, quotient } from './facts.js'

let gaps = new Float64Array(1024)

/** Tokens after the first chunk: what the decode duration is divided by. Undefined below two tokens. */
function tokensAfterFirst(record: RecordView, context: MetricContext): number | undefined {
  const length = outputLength(record)
  if (length === undefined || length < 2) return undefined
  const first = context.perChunkUsage && record.tokenCounts.length > 0 ? record.tokenCounts[0]! : 1
  return first >= 1 && length - first >= 1 ? length - first : length - 1
}

/** How tokens follow one another: per request, over all tokens, and chunk by chunk. */
export default defineMetric(
  {
    kind: 'record',
    tag: 'inter_token_latency',
    header: 'Inter Token Latency',
    shortHeader: 'ITL',
    unit: 'ns',
    displayUnit: 'ms',
    gates: ['streaming', 'tokens'],
    requires: ['output_sequence_length', 'request_latency', 'time_to_first_token'],
    order: 400,
    errorAdjusted: true,
    description:
      'Mean time between tokens of a request. (request_latency − time_to_first_token) / (OSL − k), where k is 1, or with --per-chunk-usage the tokens of the first chunk. Absent below 2 tokens.',
    absence: 'every output had fewer than 2 tokens',
    compute: (r, value, context) =>
      quotient(elapsed(value('request_latency')!, value('time_to_first_token')!), tokensAfterFirst(r, context)),
  },
  {
    kind: 'aggregate',
    tag: 'total_inter_token_time',
    header: 'Total Inter Token Time',
    unit: 'ns',
    displayUnit: 'sec',
    fold: 'sum',
    internal: true,
    group: 'none',
    gates: ['streaming', 'tokens'],
    requires: ['inter_token_latency'],
    description: 'Decode time of all requests that have an inter-token latency.',
    compute: (_: RecordView, value: RecordValues) => elapsed(value('request_latency')!, value('time_to_first_token')!),
  },
  {
    kind: 'aggregate',
    tag: 'total_inter_token_count',
    header: 'Total Inter Token Count',
    unit: 'tokens',
    fold: 'sum',
    internal: true,
    group: 'none',
    gates: ['streaming', 'tokens'],
    requires: ['inter_token_latency'],
    description: 'Tokens after the first chunk of all requests that have an inter-token latency.',
    compute: (r: RecordView, _: RecordValues, context: MetricContext) => tokensAfterFirst(r, context),
  },
  {
    kind: 'derived',
    tag: 'inter_token_latency_weighted',
    header: 'Inter Token Latency (token-weighted)',
    shortHeader: 'ITL (tokens)',
    unit: 'ns',
    displayUnit: 'ms',
    gates: ['streaming', 'tokens'],
    requires: ['total_inter_token_time', 'total_inter_token_count'],
    order: 401,
    description: 'Mean time between tokens over all tokens, long answers weighing more. Σ decode time / Σ (OSL − k).',
    compute: (scope) => quotient(scope.value('total_inter_token_time'), scope.value('total_inter_token_count')),
  },
  {
    kind: 'record',
    tag: 'inter_chunk_latency',
    header: 'Inter Chunk Latency',
    shortHeader: 'ICL',
    unit: 'ns',
    displayUnit: 'ms',
    gates: ['streaming', 'tokens'],
    group: 'none',
    description: 'Every gap between chunks with tokens, of all requests in one sample. tokens[i] − tokens[i−1].',
    absence: 'every response had fewer than 2 chunks with tokens',
    compute: (r) => {
      const times = r.tokenNs
      const count = times.length - 1
      if (count < 1) return undefined
      if (gaps.length < count) gaps = new Float64Array(count * 2)
      for (let i = 0; i < count; i++) gaps[i] = times[i + 1]! - times[i]!
      return gaps.subarray(0, count)
    },
  },
  {
    kind: 'record',
    tag: 'tokens_per_chunk',
    header: 'Tokens per Chunk',
    shortHeader: 'Tokens/Chunk',
    unit: 'tokens/chunk',
    gates: ['streaming', 'tokens'],
    requires: ['output_sequence_length'],
    group: 'none',
    description: 'Output tokens per chunk with tokens: above 1, a gap between chunks is not a gap between tokens. OSL / chunks.',
    compute: (r, value) => quotient(value('output_sequence_length'), r.contentEvents),
  },
)
