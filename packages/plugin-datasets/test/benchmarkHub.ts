import { hubServer } from './hubServer.js'
import { parquetOf } from './parquet.js'

const COMMIT = 'd'.repeat(40)
const LETTERS = ['w', 'x', 'y', 'z']
const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const hosted = (name: string, files: Record<string, string | Uint8Array>, token?: string) => ({ type: 'dataset' as const, name, commit: COMMIT, files, ...(token === undefined ? {} : { token }) })

/** `count` questions of two subjects: choice i % 4 is right. */
const mmlu = (count: number) =>
  parquetOf({
    question: ['text', numbers(count).map((i) => `Question ${i}?`)],
    subject: ['text', numbers(count).map((i) => (i % 2 === 0 ? 'anatomy' : 'world_religions'))],
    choices: [{ list: 'text' }, numbers(count).map(() => LETTERS)],
    answer: ['integer', numbers(count).map((i) => BigInt(i % 4))],
  })
const pro = (count: number) => lines(numbers(count).map((i) => ({ question: `Hard ${i}?`, options: [...LETTERS, 'v'], answer_index: 4, category: 'law', cot_content: "A: Let's think. The answer is (E)." })))
const hella = (count: number) => lines(numbers(count).map((i) => ({ ctx: `A man begins ${i}`, activity_label: `kind ${i % 20}`, endings: LETTERS, label: String(i % 4) })))
const sums = (count: number, keys: [string, string], more = {}) => lines(numbers(count).map((i) => ({ [keys[0]]: `What is ${i} + 1?`, [keys[1]]: String(i + 1), ...more })))
const solved = (count: number) => lines(numbers(count).map((i) => ({ question: `${i} and 1?`, answer: `It is ${i} + 1 = ${i + 1}\n#### ${i + 1}` })))

/** A hub that has a little of every set that is known as a benchmark. */
export const benchmarkHub = () =>
  hubServer([
    hosted('lighteval/mmlu', { 'all/test-00000-of-00001.parquet': mmlu(6), 'all/dev-00000-of-00001.parquet': mmlu(12), 'all/auxiliary_train-00000-of-00001.parquet': mmlu(1) }),
    hosted('TIGER-Lab/MMLU-Pro', { 'data/test.jsonl': pro(3), 'data/validation.jsonl': pro(5) }),
    hosted('openai/gsm8k', { 'main/test.jsonl': `${solved(3)}{"question": "", "answer": "x"}\n`, 'main/train.jsonl': solved(9), 'socratic/test.jsonl': solved(1) }),
    hosted('HuggingFaceH4/MATH-500', { 'test.jsonl': sums(3, ['problem', 'answer'], { subject: 'Algebra' }) }),
    hosted('Maxwell-Jia/AIME_2024', { 'train.jsonl': sums(10, ['Problem', 'Answer']) }),
    hosted('HuggingFaceH4/aime_2024', { 'data/train.jsonl': sums(2, ['problem', 'answer']) }),
    hosted('yentinglin/aime_2025', { 'data/train.jsonl': sums(2, ['problem', 'answer']) }),
    hosted('Idavidrein/gpqa', { 'gpqa_diamond.csv': `Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3\n${numbers(20).map((i) => `Why ${i}?,right,a,b,c\n`).join('')}`, 'gpqa_main.csv': 'Question\nnot this\n' }, 'hf_gated'),
    hosted('Rowan/hellaswag', { 'data/validation.jsonl': hella(4), 'data/train.jsonl': hella(40) }),
  ])
