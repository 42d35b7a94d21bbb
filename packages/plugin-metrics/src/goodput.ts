import { defineMetric } from '@aiperf/core'
import { quotient } from './facts.js'

/** Requests that met every objective of `--goodput`. */
export default defineMetric(
  {
    kind: 'aggregate',
    tag: 'good_request_count',
    header: 'Good Request Count',
    shortHeaderHidesUnit: true,
    unit: 'requests',
    fold: 'sum',
    individualRecords: true,
    gates: ['goodput'],
    group: 'none',
    description:
      'Successful requests that met every objective: value ≤ threshold, or ≥ where larger is better. A request without a value for an objective has not met it.',
    compute: (_, value, { objectives }) => {
      for (const { tag, threshold, atLeast } of objectives) {
        const v = value(tag)
        if (v === undefined || (atLeast ? v < threshold : v > threshold)) return 0
      }
      return 1
    },
  },
  {
    kind: 'derived',
    tag: 'goodput',
    header: 'Goodput',
    shortHeader: 'Goodput',
    shortHeaderHidesUnit: true,
    unit: 'requests/sec',
    gates: ['goodput'],
    requires: ['good_request_count'],
    order: 1000,
    description: 'Good requests per second. good_request_count / window.',
    compute: (scope) => quotient(scope.value('good_request_count'), scope.windowSeconds),
  },
  {
    kind: 'derived',
    tag: 'good_request_fraction',
    header: 'GoodRequestFraction',
    shortHeader: 'GoodReqFrac',
    shortHeaderHidesUnit: true,
    unit: 'ratio',
    gates: ['goodput'],
    optional: ['error_request_count', 'good_request_count', 'request_count'],
    largerIsBetter: true,
    group: 'none',
    description: 'Share of completed requests that were good, failures in the denominator. good_request_count / (request_count + error_request_count).',
    compute: (scope) => {
      const completed = (scope.value('request_count') ?? 0) + (scope.value('error_request_count') ?? 0)
      return quotient(scope.value('good_request_count') ?? 0, completed)
    },
  },
)
