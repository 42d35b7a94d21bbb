import { join } from 'node:path'
import { describe, test } from 'vitest'
import { testPlugin } from '@aiperf/conformance'

const LETTERS = [
  { answer: 'B', gold: 'B', passed: true },
  { answer: 'The answer is (B).', gold: 'B', passed: true },
  { answer: 'Answer: C', gold: 'B', passed: false },
]

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    accuracy_benchmark: { file: { file: join(import.meta.dirname, 'data/questions.jsonl'), problems: 4 } },
    accuracy_grader: {
      exact_match: { answers: [{ answer: ' yes\n', gold: 'yes', passed: true }, { answer: 'Yes', gold: 'yes', passed: false }] },
      multiple_choice: { answers: LETTERS },
      mmlu_pro: { answers: [...LETTERS, { answer: 'I think it must be J', gold: 'J', passed: true }] },
      lighteval_gpqa: { answers: LETTERS },
      math: { answers: [{ answer: 'so \\boxed{\\frac{1}{2}}', gold: '0.5', passed: true }, { answer: '\\boxed{3}', gold: '4', passed: false }] },
      lighteval_gsm8k: { answers: [{ answer: '6 × 7 = 42\n#### 42', gold: 'So it is\n#### 42', passed: true }, { answer: '#### 41', gold: '#### 42', passed: false }] },
      by_gold: { answers: [...LETTERS, { answer: 'It is 1,000.', gold: '1000', passed: true }, { answer: 'Paris', gold: 'Paris', passed: true }, { answer: 'It is Paris', gold: 'Paris', passed: false }] },
    },
  },
})
