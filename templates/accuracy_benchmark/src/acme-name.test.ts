import { describe, test } from 'node:test'
import { testPlugin } from '@aiperf/conformance'

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    accuracy_benchmark: { acme_name: { problems: 50 } },
    accuracy_grader: { acme_name_number: { answers: [{ answer: '42', gold: '42', passed: true }, { answer: '40 + 2 is 42.', gold: '42', passed: true }, { answer: '41', gold: '42', passed: false }] } },
  },
})
