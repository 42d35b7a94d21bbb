import { defineMetric, type RecordMetric } from '@aiperf/core'
import { elapsed, known } from './facts.js'

const latency = (d: Omit<RecordMetric, 'kind' | 'unit' | 'displayUnit'>): RecordMetric => ({ kind: 'record', unit: 'ns', displayUnit: 'ms', ...d })

/** What a user waits, and what the client adds: times from when a request was due. */
export default defineMetric(
  latency({
    tag: 'response_time',
    header: 'Response Time (from due)',
    shortHeader: 'Response Time',
    gates: ['open-loop'],
    order: 302,
    description: 'Due time to the last content: the service time with the wait before it (free of coordinated omission). lastToken − due.',
    compute: (r) => elapsed(r.lastTokenNs, r.dueNs),
  }),
  latency({
    tag: 'response_time_to_first_token',
    header: 'Response Time to First Token (from due)',
    shortHeader: 'Response TTFT',
    gates: ['open-loop', 'streaming', 'tokens'],
    order: 102,
    description: 'Due time to the first token. firstToken − due.',
    compute: (r) => elapsed(r.firstTokenNs, r.dueNs),
  }),
  latency({
    tag: 'schedule_lag',
    header: 'Schedule Lag',
    shortHeader: 'Sched Lag',
    records: 'all',
    order: 950,
    description: 'How late a request was sent, whatever became of it: due to dispatch. dispatched − due.',
    compute: (r) => known(r.dispatchedNs - r.dueNs),
  }),
  latency({
    tag: 'credit_to_start_latency',
    header: 'Credit-to-Start Latency',
    group: 'none',
    noIndividualRecords: true,
    description: 'Time the client took from claiming a due request to dispatching it. dispatched − max(due, claimed).',
    compute: (r) => known(Math.max(0, r.dispatchedNs - later(r.dueNs, r.claimedNs))),
  }),
  latency({
    tag: 'client_write_latency',
    header: 'Client Write Latency',
    group: 'none',
    description: 'Dispatch to the last byte of the request in the hands of the kernel, connection set-up included. written − dispatched.',
    compute: (r) => elapsed(r.writtenNs, r.dispatchedNs),
  }),
  latency({
    tag: 'effective_latency',
    header: 'Effective Latency (CO-aware)',
    group: 'effective',
    noIndividualRecords: true,
    description: 'Due time to the last byte of the response: with the wait before dispatch and the tail of the stream. end − due.',
    compute: (r) => known(Math.max(0, r.endNs - later(r.dueNs, Number.NaN))),
  }),
  {
    kind: 'aggregate',
    tag: 'dispatched_request_count',
    header: 'Dispatched Request Count',
    unit: 'requests',
    fold: 'sum',
    records: 'all',
    internal: true,
    group: 'none',
    description: 'Requests that were dispatched, whatever became of them.',
    compute: (r) => (Number.isNaN(r.dispatchedNs) ? undefined : 1),
  },
  ...(['min', 'max'] as const).flatMap((fold) =>
    (['due', 'dispatched'] as const).map((stamp) => ({
      kind: 'aggregate' as const,
      tag: `${fold}_${stamp}_timestamp`,
      header: `${fold === 'min' ? 'First' : 'Last'} ${stamp === 'due' ? 'Due Time' : 'Dispatch'}`,
      unit: 'ns',
      fold,
      records: 'all' as const,
      internal: true,
      wholePhaseOnly: true,
      group: 'none' as const,
      description: `${fold === 'min' ? 'First' : 'Last'} ${stamp} time, on the run's clock.`,
      compute: (r: { dueNs: number; dispatchedNs: number }) => known(stamp === 'due' ? r.dueNs : r.dispatchedNs),
    })),
  ),
  {
    kind: 'derived',
    tag: 'offered_request_rate',
    header: 'Offered Request Rate',
    shortHeader: 'Offered/sec',
    shortHeaderHidesUnit: true,
    unit: 'requests/sec',
    gates: ['open-loop'],
    requires: ['dispatched_request_count', 'min_due_timestamp', 'max_due_timestamp'],
    wholePhaseOnly: true,
    order: 902,
    description: 'Rate at which requests were due, dropped arrivals included. (due − 1) / (last due − first due).',
    compute: (scope) => pace(scope.value('dispatched_request_count')! + (scope.skipped ?? 0), scope.value('max_due_timestamp')! - scope.value('min_due_timestamp')!),
  },
  {
    kind: 'derived',
    tag: 'achieved_request_rate',
    header: 'Achieved Request Rate',
    shortHeader: 'Sent/sec',
    shortHeaderHidesUnit: true,
    unit: 'requests/sec',
    requires: ['dispatched_request_count', 'min_dispatched_timestamp', 'max_dispatched_timestamp'],
    gates: ['open-loop'],
    wholePhaseOnly: true,
    order: 903,
    description: 'Rate at which requests were sent. (sent − 1) / (last dispatch − first dispatch).',
    compute: (scope) =>
      pace(scope.value('dispatched_request_count')!, scope.value('max_dispatched_timestamp')! - scope.value('min_dispatched_timestamp')!),
  },
)

/** Requests per second of a train of `count` requests over `ns`: one gap less than requests. */
function pace(count: number, ns: number): number | undefined {
  return count > 1 && ns > 0 ? ((count - 1) * 1e9) / ns : undefined
}

function later(dueNs: number, claimedNs: number): number {
  return Number.isNaN(dueNs) ? claimedNs : claimedNs > dueNs ? claimedNs : dueNs
}
