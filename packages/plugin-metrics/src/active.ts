import { defineMetric, type CurveMetric } from '@aiperf/core'
import { decode, prefill } from './effective.js'

const active = (d: Pick<CurveMetric, 'tag' | 'header' | 'unit' | 'description' | 'compute' | 'plus' | 'dividedBy' | 'whilePositive' | 'gates'>): CurveMetric => ({
  kind: 'curve',
  group: 'active',
  ...d,
})

/** The effective curves, over busy time only: what the server delivers while it has that kind of work. */
export default defineMetric(
  active({
    tag: 'active_decode_throughput',
    header: 'Active Decode Throughput',
    unit: 'tokens/sec',
    gates: ['streaming', 'tokens'],
    description: 'Effective decode throughput over the time in which a request was in decode.',
    whilePositive: 'effective_decode_concurrency',
    compute: decode,
  }),
  active({
    tag: 'active_prefill_throughput',
    header: 'Active Prefill Throughput',
    unit: 'tokens/sec',
    gates: ['streaming', 'tokens', 'input-tokens'],
    description: 'Effective prefill throughput over the time in which a request was in prefill.',
    whilePositive: 'effective_prefill_concurrency',
    compute: prefill,
  }),
  active({
    tag: 'active_decode_throughput_per_user',
    header: 'Active Decode Throughput Per User',
    unit: 'tokens/sec/user',
    gates: ['streaming', 'tokens'],
    description: 'Effective decode throughput per user over the time in which a request was in decode.',
    dividedBy: 'effective_decode_concurrency',
    whilePositive: 'effective_decode_concurrency',
    compute: decode,
  }),
  active({
    tag: 'active_prefill_throughput_per_user',
    header: 'Active Prefill Throughput Per User',
    unit: 'tokens/sec/user',
    gates: ['streaming', 'tokens', 'input-tokens'],
    description: 'Effective prefill throughput per user over the time in which a request was in prefill.',
    dividedBy: 'effective_prefill_concurrency',
    whilePositive: 'effective_prefill_concurrency',
    compute: prefill,
  }),
  active({
    tag: 'active_total_throughput',
    header: 'Active Total Throughput',
    unit: 'tokens/sec',
    gates: ['streaming', 'tokens', 'input-tokens'],
    description: 'Effective total throughput over the time in which any request was under way.',
    whilePositive: 'effective_concurrency',
    plus: 'effective_decode_throughput',
    compute: prefill,
  }),
)
