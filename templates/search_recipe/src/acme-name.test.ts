import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sampleModel, testPlugin } from '@aiperf/conformance'
import acme from './acme-name.js'

testPlugin({ describe, test }, { package: new URL('..', import.meta.url) })

test('the load doubles up to the most', async () => {
  const recipe = await acme.create({ options: { acmeNameMost: 6 }, random: () => assert.fail() })
  const plan = recipe.expand({ acmeNameMost: 6 }, { model: sampleModel(), lists: {}, tiers: [] })
  assert.deepEqual(plan.kind === 'sweep' && plan.cells.map(({ name }) => name), ['c1', 'c2', 'c4', 'c6'])
})
