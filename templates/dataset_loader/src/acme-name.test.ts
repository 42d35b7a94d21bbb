import { describe, test } from 'node:test'
import { testPlugin } from '@aiperf/conformance'

const ROWS = [{ question: 'What is tea?', follow_ups: ['And coffee?'] }, { question: 'Who are you?' }]

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: { dataset_loader: { acme_name: { file: { name: 'questions.jsonl', text: ROWS.map((row) => `${JSON.stringify(row)}\n`).join('') }, expect: { sessions: 2, turns: 3, bad: 0 } } } },
})
