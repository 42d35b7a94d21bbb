import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom, type AccuracyBenchmarkMeta, type AccuracyProblem } from '@aiperf/core'
import { DatasetReport, openSource } from '@aiperf/core/host'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { benchmarkHub } from '../test/benchmarkHub.js'
import manifest from '../package.json' with { type: 'json' }
import { BENCHMARKS } from './benchmarks/catalog.js'
import publicBenchmark from './public-benchmark.js'

let hub: Awaited<ReturnType<typeof benchmarkHub>>
const cache = mkdtempSync(join(tmpdir(), 'aiperf-hub-'))
beforeAll(async () => void (hub = await benchmarkHub()))
afterAll(() => hub.close())
beforeEach(() => {
  vi.stubEnv('HF_ENDPOINT', hub.url)
  vi.stubEnv('HF_HUB_CACHE', cache)
  vi.stubEnv('HF_TOKEN', 'hf_gated')
  return () => vi.unstubAllEnvs()
})

async function read(name: string, asked: { shots?: number; cot?: boolean } = {}): Promise<{ problems: AccuracyProblem[]; report: DatasetReport }> {
  const benchmark = await publicBenchmark.create({ name, options: { revision: 'main' }, random: (stream) => createRandom(1, stream), tasks: [], shots: 0, cot: false, ...asked })
  const report = new DatasetReport('fail')
  const problems: AccuracyProblem[] = []
  for await (const problem of benchmark.problems(openSource({}, report), report)) problems.push(problem)
  return { problems, report }
}
const declared = manifest.aiperf.contributes.accuracy_benchmark as Record<string, { meta: AccuracyBenchmarkMeta }>

describe('every benchmark of the hub', () => {
  it('is declared, and says what it can do', () => {
    expect(Object.keys(declared)).toEqual(Object.keys(BENCHMARKS))
    for (const [name, { ask, examples }] of Object.entries(BENCHMARKS)) {
      const { defaultCot, mostShots = 0 } = declared[name]!.meta
      expect({ name, cot: defaultCot !== undefined, shots: mostShots > 0 }).toEqual({ name, cot: ask.cot !== undefined, shots: examples !== undefined })
    }
  })
  it.each([
    ['mmlu', 6, 'B', 'world_religions'], ['mmlu_pro', 3, 'E', 'law'], ['gsm8k', 3, 'It is 1 + 1 = 2\n#### 2', 'problems'], ['math_500', 3, '2', 'Algebra'], ['aime', 10, '2', 'problems'],
    ['aime24', 2, '2', 'problems'], ['aime25', 2, '2', 'problems'], ['hellaswag', 4, 'B', 'endings'],
  ])('%s', async (name, count, gold, task) => {
    const { problems } = await read(name)
    expect(problems).toHaveLength(count)
    expect(problems[1]).toMatchObject({ gold, task, messages: [{ role: 'user' }] })
  })
})

it('mmlu: answers of one line, or thoughts; examples of the same subject as turns of a conversation', async () => {
  const [plain, cot] = [await read('mmlu', { shots: 2 }), await read('mmlu', { cot: true })]
  expect(plain.problems[1]!).toMatchObject({ id: 'world_religions-1', maxTokens: 5, stop: ['\n'] })
  expect(plain.problems[1]!.messages.map(({ role, content }) => `${role}: ${content.split('\n', 1)[0]}`)).toEqual(['user: Question 1?', 'assistant: B', 'user: Question 3?', 'assistant: D', 'user: Question 1?'])
  expect(plain.problems[1]!.messages[0]!.content).toContain('\n\nA. w\nB. x\nC. y\nD. z\n\n')
  expect(plain.problems[1]!.prompt).toMatch(/\n\nAnswer: B\n\nQuestion 3\?[\s\S]*\n\nAnswer:$/)
  expect(cot.problems[0]).toMatchObject({ maxTokens: 4000, messages: [{ content: expect.stringContaining('step by step') }] })
  expect(cot.problems[0]).not.toHaveProperty('stop')
})
it('mmlu_pro and gsm8k: examples show the way when the model is to think, or always', async () => {
  expect((await read('mmlu_pro', { shots: 1, cot: true })).problems[0]!.messages[1]!.content).toBe("Let's think. The answer is (E).")
  const { problems, report } = await read('gsm8k', { shots: 8 })
  expect(problems[0]!.messages).toHaveLength(17)
  expect(problems[0]!.messages[1]!.content).toBe('It is 0 + 1 = 1\n#### 1')
  expect(report.counts.reasons).toEqual({ 'no question with an answer': 1 })
})
it('aime: what is shown is not asked', async () => {
  const { problems, report } = await read('aime', { shots: 4 })
  expect(problems.map(({ gold }) => gold)).toEqual(['5', '6', '7', '8', '9', '10'])
  expect(report.counts.reasons).toEqual({ 'shown as a solved example': 4 })
})
it('hellaswag: examples of different kinds', async () => {
  const { problems } = await read('hellaswag', { shots: 15 })
  const contents = problems[0]!.messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  expect(new Set(contents.slice(0, -1)).size).toBe(15)
})
it('gpqa_diamond: the right choice stands anywhere, in the same place each time, and the set is gated', async () => {
  const [first, second] = [await read('gpqa_diamond'), await read('gpqa_diamond')]
  expect(second.problems).toEqual(first.problems)
  expect(new Set(first.problems.map(({ gold }) => gold)).size).toBe(4)
  for (const { gold, messages } of first.problems) expect(messages[0]!.content).toContain(`\n${gold}. right\n`)
  vi.stubEnv('HF_TOKEN', 'no')
  vi.stubEnv('HF_HUB_CACHE', mkdtempSync(join(tmpdir(), 'aiperf-hub-')))
  await expect(read('gpqa_diamond')).rejects.toMatchObject({ name: 'AiperfError' })
})
it('is there without the network once it was fetched, and says where it is from', async () => {
  await read('math_500')
  vi.stubEnv('HF_ENDPOINT', 'http://127.0.0.1:9')
  vi.stubEnv('HF_HUB_OFFLINE', '1')
  const { problems, report } = await read('math_500')
  expect(problems).toHaveLength(3)
  expect(report.counts.provenance).toEqual([expect.objectContaining({ dataset: 'HuggingFaceH4/MATH-500', split: 'test', revision: 'main' })])
})
it('fewer examples than asked for are an error, not fewer examples', async () => {
  await expect(read('mmlu', { shots: 7 })).rejects.toMatchObject({ message: expect.stringContaining('6 solved examples of anatomy') })
})
