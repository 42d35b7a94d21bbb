import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testPlugin } from '@aiperf/conformance'
import { createRandom } from '@aiperf/core'
import { DatasetReport, openSource } from '@aiperf/core/host'
import benchmark from './acme-name.js'
import grader from './acme-name-number.js'

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    accuracy_benchmark: { acme_name: { problems: 50 } },
    accuracy_grader: { acme_name_number: { answers: [{ answer: '42', gold: '42', passed: true }, { answer: '40 + 2 is 42.', gold: '42', passed: true }, { answer: '41', gold: '42', passed: false }] } },
  },
})

test('of every problem the gold answer is right, and the answer to another one is not', async () => {
  const plain = { options: {}, random: (name: string) => createRandom(1, name) }
  const { grade } = await grader.create(plain)
  const { problems } = await benchmark.create({ ...plain, name: 'acme_name', tasks: [], shots: 0, cot: false })
  const report = new DatasetReport('fail')
  for await (const { gold } of problems(openSource({}, report), report)) {
    assert.equal((await grade(gold, gold)).passed, true)
    assert.equal((await grade(String(Number(gold) + 1), gold)).passed, false)
  }
})
