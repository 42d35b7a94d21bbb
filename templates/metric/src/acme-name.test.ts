import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sampleRun, testPlugin } from '@aiperf/conformance'
import acme from './acme-name.js'

testPlugin({ describe, test }, { package: new URL('..', import.meta.url) })

test('it is at least the mean gap', async () => {
  const run = await sampleRun({ metrics: await acme.create(undefined as never) })
  const { avg, max } = run.profiling.metrics.get('acme_name_longest_gap')!
  assert.ok(avg! > 4 && max! >= avg!)
})
