import { startMockServer } from '@aiperf/mock-server'
import { describe, test } from 'vitest'
import { testPlugin } from '@aiperf/conformance'

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    telemetry_source: {
      server_metrics: {
        async serve() {
          const server = await startMockServer()
          return { urls: [server.url], close: () => server.close() }
        },
        series: ['vllm:num_requests_running'],
      },
    },
  },
})
