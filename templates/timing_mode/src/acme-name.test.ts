import { describe, test } from 'node:test'
import { testPlugin } from '@aiperf/conformance'

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: { timing_mode: { acme_name: { settings: [{}, { pulseSize: 7, pulseSeconds: 0.25 }] } } },
})
