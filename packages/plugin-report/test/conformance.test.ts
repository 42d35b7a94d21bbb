import { describe, test } from 'vitest'
import { testPlugin } from '@aiperf/conformance'

testPlugin({ describe, test }, { package: new URL('..', import.meta.url) })
