import { defineMetric, type AggregateMetric } from '@aiperf/core'
import { quotient } from './facts.js'

const count = (d: Omit<AggregateMetric, 'kind' | 'unit' | 'fold' | 'shortHeaderHidesUnit'>): AggregateMetric => ({
  kind: 'aggregate',
  unit: 'requests',
  fold: 'sum',
  shortHeaderHidesUnit: true,
  ...d,
})

/** How many requests ended how. */
export default defineMetric(
  count({
    tag: 'request_count',
    header: 'Request Count',
    shortHeader: 'Requests',
    largerIsBetter: true,
    order: 1100,
    description: 'Requests that succeeded.',
    compute: () => 1,
  }),
  count({
    tag: 'error_request_count',
    header: 'Error Request Count',
    shortHeader: 'Error Count',
    records: 'error',
    description: 'Requests that failed. Those cancelled on purpose or unfinished at the end are not among them.',
    compute: () => 1,
  }),
  count({
    tag: 'context_overflow_count',
    header: 'Context Overflow Count',
    shortHeader: 'Ctx Overflow',
    records: 'error',
    description: "Failed requests whose context was longer than the model's.",
    compute: (r) => (r.outcomeName === 'context_overflow' ? 1 : 0),
  }),
  count({
    tag: 'cancelled_request_count',
    header: 'Cancelled Request Count',
    shortHeader: 'Cancelled',
    records: 'all',
    order: 1110,
    description: 'Requests that the client cancelled because the run asked for cancellations.',
    absence: 'no request was cancelled on purpose',
    compute: (r) => (r.outcomeName === 'cancelled' ? 1 : undefined),
  }),
  count({
    tag: 'unfinished_request_count',
    header: 'Unfinished Request Count',
    shortHeader: 'Unfinished',
    records: 'all',
    order: 1120,
    description: 'Requests under way when the phase or the run ended; their age then is unfinished_age.',
    absence: 'no request was unfinished at the end',
    compute: (r) => (r.outcomeName === 'censored' ? 1 : undefined),
  }),
  count({
    tag: 'retried_request_count',
    header: 'Retried Request Count',
    shortHeader: 'Retried',
    records: 'all',
    group: 'none',
    description: 'Requests sent again because the server had closed the connection before it could answer.',
    absence: 'no request had to be sent again',
    compute: (r) => (r.retried === 1 ? 1 : undefined),
  }),
  {
    kind: 'derived',
    tag: 'completed_request_count',
    header: 'Completed Requests (Success + Error)',
    shortHeader: 'Completed',
    shortHeaderHidesUnit: true,
    unit: 'requests',
    optional: ['error_request_count', 'request_count'],
    order: 1075,
    description: 'Requests that succeeded or failed. request_count + error_request_count.',
    compute: (scope) => (scope.value('request_count') ?? 0) + (scope.value('error_request_count') ?? 0) || undefined,
  },
  {
    kind: 'derived',
    tag: 'request_error_rate',
    header: 'Request Error Rate',
    shortHeader: 'Err %',
    shortHeaderHidesUnit: true,
    unit: '%',
    optional: ['error_request_count', 'request_count'],
    order: 1080,
    description: 'Share of completed requests that failed. 100 × error_request_count / completed_request_count.',
    compute: (scope) => {
      const failed = scope.value('error_request_count') ?? 0
      return quotient(100 * failed, failed + (scope.value('request_count') ?? 0))
    },
  },
)
