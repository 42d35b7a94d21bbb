import { z } from 'zod'

export default z.strictObject({
  serverMetricsFormats: z
    .array(z.enum(['json', 'csv', 'jsonl', 'parquet']))
    .default(['json', 'csv'])
    .describe('Files of server metrics to write')
    .meta({ flag: '--server-metrics-formats', group: 'Server Metrics', comma: 'list', paths: ['serverMetrics.formats'] }),
})
