import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '@aiperf/core'

/** What is asked by a row of a set. */
export interface Question {
  task: string
  text: string
  choices?: readonly string[]
  /** The right answer, as the grader reads it. */
  gold: string
  /** The way to it, for examples that show one. */
  worked?: string | undefined
}

export interface PublicBenchmark {
  repository: string
  subset?: string
  split: string
  columns: readonly string[]
  /** Undefined: the row holds no question. */
  question(row: JsonObject): Question | undefined
  /** What is said after a question, when the model is asked to think and when it is not. */
  ask: { plain: string; cot?: string }
  maxTokens: { plain: number; cot?: number }
  /** Without thinking: the answer is one line. */
  stop?: readonly string[]
  /**
   * Where solved examples come from: the first ones of the question's task, where there is a `kind` one of each. Those of the
   * split that is asked are not asked themselves.
   */
  examples?: { split: string; tasks: 'one' | 'several'; kind?(row: JsonObject): string }
}

const LETTER = { plain: 'Answer with the letter of the right choice alone.', cot: 'Think step by step, then finish with "The answer is (X)", where X is the letter of the right choice.' }
const BOXED = { plain: 'Put the final answer into \\boxed{}.' }
const LONG = 32_768

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : typeof value === 'number' ? String(value) : undefined)
const texts = (value: Json | undefined): string[] | undefined => (Array.isArray(value) && value.length > 1 && value.every((item) => text(item) !== undefined) ? value.map((item) => text(item)!) : undefined)
const letter = (index: number): string => String.fromCharCode(65 + index)

/** A question with choices; the right one by its number, from 0. */
function choice(task: string, question: string | undefined, choices: readonly string[] | undefined, index: number, worked?: string): Question | undefined {
  return question !== undefined && choices && Number.isInteger(index) && index >= 0 && index < choices.length ? { task, text: question, choices, gold: letter(index), worked } : undefined
}

const mathematics = (repository: string, split: string, [problem, answer, task]: [string, string, ...string[]], examples?: PublicBenchmark['examples']): PublicBenchmark => ({
  repository, split, columns: [problem, answer, ...(task === undefined ? [] : [task])],
  question(row) {
    const [asked, gold] = [text(row[problem]), text(row[answer])]
    return asked === undefined || gold === undefined ? undefined : { task: (task === undefined ? undefined : text(row[task])) ?? 'problems', text: asked, gold, worked: `\\boxed{${gold}}` }
  },
  ask: BOXED,
  maxTokens: { plain: LONG },
  ...(examples ? { examples } : {}),
})

/** Sets of the Hugging Face hub by the name of `--accuracy-benchmark`. */
export const BENCHMARKS: Readonly<Record<string, PublicBenchmark>> = {
  mmlu: {
    repository: 'lighteval/mmlu', subset: 'all', split: 'test', columns: ['question', 'subject', 'choices', 'answer'],
    question: (row) => choice(text(row['subject']) ?? 'all', text(row['question']), texts(row['choices']), Number(row['answer'])),
    ask: LETTER, maxTokens: { plain: 5, cot: 4000 }, stop: ['\n'],
    examples: { split: 'dev', tasks: 'several' },
  },
  mmlu_pro: {
    repository: 'TIGER-Lab/MMLU-Pro', split: 'test', columns: ['question', 'options', 'answer_index', 'category', 'cot_content'],
    question: (row) => choice(text(row['category']) ?? 'all', text(row['question']), texts(row['options']), Number(row['answer_index']), text(row['cot_content'])?.replace(/^A:\s*/, '')),
    ask: LETTER, maxTokens: { plain: 4000, cot: 4000 },
    examples: { split: 'validation', tasks: 'several' },
  },
  gsm8k: {
    repository: 'openai/gsm8k', subset: 'main', split: 'test', columns: ['question', 'answer'],
    question(row) {
      const [asked, gold] = [text(row['question']), text(row['answer'])]
      return asked === undefined || gold === undefined ? undefined : { task: 'problems', text: asked, gold, worked: gold }
    },
    ask: { plain: 'Finish with a line that holds #### and the number alone.' }, maxTokens: { plain: 256 },
    examples: { split: 'train', tasks: 'one' },
  },
  math_500: mathematics('HuggingFaceH4/MATH-500', 'test', ['problem', 'answer', 'subject']),
  aime: mathematics('Maxwell-Jia/AIME_2024', 'train', ['Problem', 'Answer'], { split: 'train', tasks: 'one' }),
  aime24: mathematics('HuggingFaceH4/aime_2024', 'train', ['problem', 'answer']),
  aime25: mathematics('yentinglin/aime_2025', 'train', ['problem', 'answer']),
  gpqa_diamond: {
    repository: 'Idavidrein/gpqa', split: 'diamond', columns: ['Question', 'Correct Answer', 'Incorrect Answer 1', 'Incorrect Answer 2', 'Incorrect Answer 3'],
    question(row) {
      const [asked, ...answers] = GPQA.map((column) => text(row[column]))
      if (asked === undefined || answers.includes(undefined)) return undefined
      // The same order in every run: it depends on the question alone.
      const digest = createHash('sha256').update(asked).digest()
      const order = [0, 1, 2, 3]
      for (let i = 3; i > 0; i--) {
        const j = digest[i]! % (i + 1)
        ;[order[i], order[j]] = [order[j]!, order[i]!]
      }
      return choice('diamond', asked, order.map((i) => answers[i]!), order.indexOf(0))
    },
    ask: { plain: LETTER.cot }, maxTokens: { plain: LONG },
  },
  hellaswag: {
    repository: 'Rowan/hellaswag', split: 'validation', columns: ['ctx', 'activity_label', 'endings', 'label'],
    question: (row) => choice('endings', text(row['ctx']) && `How does this go on?\n\n${text(row['ctx'])}`, texts(row['endings']), text(row['label']) === undefined ? -1 : Number(row['label'])),
    ask: { plain: LETTER.plain }, maxTokens: { plain: 5 },
    examples: { split: 'train', tasks: 'one', kind: (row) => text(row['activity_label']) ?? '' },
  },
}
const GPQA = ['Question', 'Correct Answer', 'Incorrect Answer 1', 'Incorrect Answer 2', 'Incorrect Answer 3'] as const
