import { describe, test } from 'node:test'
import { testPlugin } from '@aiperf/conformance'

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  // `serve` starts what is measured; this machine is there already.
  cases: { telemetry_source: { acme_name: { serve: async () => ({ close() {} }), series: ['acme_name_load', 'acme_name_free_memory'] } } },
})
