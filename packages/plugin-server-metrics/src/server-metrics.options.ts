import { z } from 'zod'

const GROUP = 'Server Metrics'

export default z.strictObject({
  enabled: z.boolean().default(true).describe('Whether the metrics of servers are scraped'),
  disabled: z.boolean().default(false).describe('Turn server metrics off').meta({ flag: '--no-server-metrics', group: GROUP }),
  urls: z
    .array(z.string().min(1))
    .default([])
    .describe("Further Prometheus endpoints; that of each --url is scraped anyway")
    .meta({ flag: '--server-metrics', group: GROUP, comma: 'list', value: '<URL>' }),
  headers: z
    .array(z.tuple([z.string().min(1), z.string()]))
    .default([])
    .describe('Header of every scrape, Name:Value, e.g. for authentication; may be given several times')
    .meta({ flag: '--server-metrics-header', group: GROUP, text: 'headers', secret: true, value: '<Name:Value>' }),
  intervalSeconds: z.number().min(0.001).max(300).default(0.333).describe('Time between scrapes, s').meta({ env: ['AIPERF_SERVER_METRICS_COLLECTION_INTERVAL'], group: GROUP }),
  timeoutSeconds: z.number().min(0.1).max(600).default(30).describe('Limit of one scrape, s').meta({ env: ['AIPERF_SERVER_METRICS_SCRAPE_TIMEOUT'], group: GROUP }),
  reachabilitySeconds: z.number().min(1).max(300).default(10).describe('Limit of the first look at an endpoint, s').meta({ env: ['AIPERF_SERVER_METRICS_REACHABILITY_TIMEOUT'], group: GROUP }),
})
