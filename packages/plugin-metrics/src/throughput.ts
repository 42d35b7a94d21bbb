import { defineMetric, type DerivedMetric, type RecordMetric, type Scope } from '@aiperf/core'
import { quotient } from './facts.js'

/** Per second of the one window of the phase, so that rate × window is the count. */
const perSecond = (scope: Scope, amount: number | undefined): number | undefined => quotient(amount, scope.windowSeconds)

const rate = (d: Omit<DerivedMetric, 'kind' | 'unit' | 'largerIsBetter' | 'shortHeaderHidesUnit'> & { unit?: string }): DerivedMetric => ({
  kind: 'derived',
  unit: 'tokens/sec',
  largerIsBetter: true,
  shortHeaderHidesUnit: true,
  ...d,
})

const perUser = (d: Omit<RecordMetric, 'kind' | 'unit' | 'largerIsBetter' | 'shortHeaderHidesUnit'>): RecordMetric => ({
  kind: 'record',
  unit: 'tokens/sec/user',
  largerIsBetter: true,
  shortHeaderHidesUnit: true,
  ...d,
})

const NS_PER_SECOND = 1e9

/** Rates: of the run over its window, and of single requests. */
export default defineMetric(
  {
    kind: 'derived',
    tag: 'benchmark_duration',
    header: 'Benchmark Duration',
    shortHeader: 'Duration',
    shortHeaderHidesUnit: true,
    unit: 'ns',
    displayUnit: 'sec',
    group: 'none',
    description: 'The window every rate is divided by: first dispatch to last end of the requests that completed.',
    compute: (scope) => {
      const span = scope.windowEndNs - scope.windowStartNs
      const ns = span / NS_PER_SECOND === scope.windowSeconds ? span : scope.windowSeconds * NS_PER_SECOND
      return ns > 0 ? ns : undefined
    },
  },
  {
    kind: 'aggregate',
    tag: 'min_request_timestamp',
    header: 'Minimum Request Timestamp',
    shortHeader: 'Min Req',
    shortHeaderHidesUnit: true,
    unit: 'ns',
    fold: 'min',
    internal: true,
    wholePhaseOnly: true,
    group: 'none',
    description: "First dispatch of a successful request, on the run's clock.",
    compute: (r) => r.dispatchedNs,
  },
  {
    kind: 'aggregate',
    tag: 'max_response_timestamp',
    header: 'Maximum Response Timestamp',
    shortHeader: 'Max Resp',
    shortHeaderHidesUnit: true,
    unit: 'ns',
    fold: 'max',
    internal: true,
    wholePhaseOnly: true,
    group: 'none',
    requires: ['request_latency'],
    description: "Last content of a successful request, on the run's clock.",
    compute: (r) => r.lastTokenNs,
  },
  rate({
    tag: 'request_throughput',
    header: 'Request Throughput',
    shortHeader: 'Req/sec',
    unit: 'requests/sec',
    requires: ['request_count'],
    order: 900,
    description: 'Successful requests per second. request_count / window.',
    compute: (scope) => perSecond(scope, scope.value('request_count')),
  }),
  rate({
    tag: 'input_token_throughput',
    header: 'Input Token Throughput',
    shortHeader: 'Input TPS',
    requires: ['total_isl'],
    order: 805,
    description: 'Input tokens of successful requests per second. total_isl / window.',
    compute: (scope) => perSecond(scope, scope.value('total_isl')),
  }),
  rate({
    tag: 'output_token_throughput',
    header: 'Output Token Throughput',
    shortHeader: 'Output TPS',
    gates: ['tokens'],
    requires: ['total_osl'],
    order: 800,
    description: 'Output tokens of successful requests per second, reasoning included. total_osl / window.',
    compute: (scope) => perSecond(scope, scope.value('total_osl')),
  }),
  rate({
    tag: 'total_token_throughput',
    header: 'Total Token Throughput',
    shortHeader: 'Total TPS',
    gates: ['tokens'],
    requires: ['total_isl', 'total_osl'],
    group: 'none',
    description: 'Input and output tokens of successful requests per second. (total_isl + total_osl) / window.',
    compute: (scope) => perSecond(scope, scope.value('total_isl')! + scope.value('total_osl')!),
  }),
  perUser({
    tag: 'output_token_throughput_per_user',
    header: 'Output Token Throughput Per User',
    shortHeader: 'Output TPS/User',
    gates: ['streaming', 'tokens'],
    requires: ['inter_token_latency'],
    order: 500,
    description: 'Tokens per second as a reader sees them come. 1 / inter_token_latency.',
    compute: (_, value) => quotient(NS_PER_SECOND, value('inter_token_latency')),
  }),
  perUser({
    tag: 'e2e_output_token_throughput',
    header: 'E2E Output Token Throughput',
    shortHeader: 'E2E Output TPS/User',
    gates: ['tokens'],
    requires: ['output_sequence_length', 'request_latency'],
    order: 510,
    description: 'Tokens per second over the whole request. OSL / request_latency.',
    compute: (_, value) => quotient(value('output_sequence_length')! * NS_PER_SECOND, value('request_latency')),
  }),
  perUser({
    tag: 'prefill_throughput_per_user',
    header: 'Prefill Throughput Per User',
    shortHeader: 'Prefill TPS/User',
    gates: ['streaming', 'tokens', 'input-tokens'],
    requires: ['input_sequence_length', 'time_to_first_token'],
    group: 'none',
    description: 'Input tokens per second until the first output token. ISL / time_to_first_token.',
    compute: (_, value) => quotient(value('input_sequence_length')! * NS_PER_SECOND, value('time_to_first_token')),
  }),
)
