import { describe, test } from 'node:test'
import { testPlugin } from '@aiperf/conformance'

testPlugin({ describe, test }, { package: new URL('..', import.meta.url) })
