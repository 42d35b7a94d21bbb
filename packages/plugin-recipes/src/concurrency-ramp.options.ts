import { z } from 'zod'
import { concurrencySteps } from './recipe/fields.options.js'

const group = 'Search'

export default z.strictObject({
  ...concurrencySteps(1000, 8),
  degradationThreshold: z.number().gt(0).lt(1).default(0.2).describe('Relative rise over the first point that marks the knee').meta({ flag: '--degradation-threshold', group, value: '<share>' }),
  degradationMetricTag: z.string().min(1).default('request_latency').describe('Metric whose rise marks the knee').meta({ flag: '--degradation-metric-tag', group, value: '<tag>' }),
  degradationStat: z.enum(['avg', 'p50', 'p90', 'p95', 'p99']).default('p99').describe('Statistic of that metric').meta({ flag: '--degradation-stat', group }),
})
