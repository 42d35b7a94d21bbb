import type { AccuracyBenchmarkMeta, AccuracyProblem } from '@aiperf/core'
import { DatasetReport, openSource } from '@aiperf/core/host'
import type { AccuracyBenchmarkCase, AccuracyGraderCase } from '../cases.js'
import { ensure, group, shown, type Group } from '../checks.js'
import { randomOf, type Subject } from '../subject.js'

const ENOUGH = 200

export function accuracyBenchmarkSuite(subject: Subject<'accuracy_benchmark'>, given: AccuracyBenchmarkCase): Group[] {
  const { defaultGrader, source, defaultShots = 0, mostShots = 0, defaultCot = false } = subject.meta as unknown as AccuracyBenchmarkMeta
  const read = async (asked: { shots?: number; tasks?: string[] } = {}): Promise<AccuracyProblem[]> => {
    const benchmark = await subject.create({ name: subject.name, options: subject.options(given.options), random: randomOf(1), tasks: [], shots: defaultShots, cot: defaultCot, ...asked })
    const report = new DatasetReport('fail')
    const from = openSource({ ...(given.file === undefined ? {} : { path: given.file }), ...(given.records ? { records: given.records } : {}) }, report)
    const problems: AccuracyProblem[] = []
    for await (const problem of benchmark.problems(from, report)) if (problems.push(problem) >= ENOUGH) break
    report.finish()
    return problems
  }
  if (source === 'file' && given.file === undefined && !given.records) return [{ title: 'problems', checks: [{ title: 'can be asked and graded', run: () => {}, skip: 'it reads a file: give the case a file, or records' }] }]
  return [
    group('problems', {
      'can be asked and graded': async () => {
        const problems = await read()
        ensure(problems.length >= (given.problems ?? 1), `there are ${problems.length} problems, expected at least ${given.problems ?? 1}`)
        for (const [i, p] of problems.entries()) {
          ensure(typeof p.task === 'string' && p.task !== '', `problem ${i} has no task`)
          ensure(Array.isArray(p.messages) && p.messages.length > 0 && p.messages.every((m) => typeof m.role === 'string' && typeof m.content === 'string'), `problem ${i} has the messages ${shown(p.messages)}`)
          ensure(typeof p.prompt === 'string' && p.prompt !== '', `problem ${i} has no prompt, for endpoints without messages`)
          ensure(Number.isInteger(p.maxTokens) && p.maxTokens > 0, `problem ${i} has maxTokens ${shown(p.maxTokens)}`)
          ensure(typeof p.gold === 'string' && p.gold !== '', `problem ${i} has no gold answer`)
        }
      },
      'have ids of their own': async () => {
        const ids = (await read()).flatMap((problem) => problem.id ?? [])
        ensure(new Set(ids).size === ids.length, 'two problems have the same id')
      },
      'name a grader': () => ensure(typeof defaultGrader === 'string' && defaultGrader !== '', 'meta.defaultGrader names no grader'),
      ...(mostShots > 0
        ? {
            'show solved examples when asked to': async () => {
              ensure(mostShots >= defaultShots, `meta.defaultShots is ${defaultShots}, more than meta.mostShots, ${mostShots}`)
              const asked = async (shots: number) => (await read({ shots })).map(({ messages }) => JSON.stringify(messages).length)
              const [without, most] = [await asked(0), await asked(mostShots)]
              ensure(most.every((length, i) => length > without[i]!), `${mostShots} examples make a problem no longer than none`)
            },
          }
        : {}),
      'are the same each time': async () => {
        ensure(JSON.stringify(await read()) === JSON.stringify(await read()), 'two readings differ: draw random numbers from context.random only')
      },
    }),
  ]
}

export function accuracyGraderSuite(subject: Subject<'accuracy_grader'>, given: AccuracyGraderCase): Group[] {
  const grade = async (answer: string, gold: string) => {
    const grader = await subject.create({ options: subject.options(given.options), random: randomOf(1) })
    const result = await grader.grade(answer, gold)
    ensure(typeof result?.passed === 'boolean' && typeof result.unparsed === 'boolean' && typeof result.actual === 'string', `grade returned ${shown(result)}`)
    return result
  }
  return [
    group('grades', {
      'any answer is graded': async () => {
        for (const answer of ['', ' ', '\n', 'I do not know.', '42', '\\boxed{42}', 'A) (B) C', '{"answer":', '日本語', 'x'.repeat(50_000)]) await grade(answer, '42')
      },
      'an empty answer is not right': async () => ensure(!(await grade('', '42')).passed, 'the empty answer passes'),
      ...Object.fromEntries((given.answers ?? []).map(({ answer, gold, passed }) => [`${shown(answer)} is ${passed ? 'right' : 'wrong'} for ${shown(gold)}`, async () => ensure((await grade(answer, gold)).passed === passed, `expected ${passed ? 'right' : 'wrong'}`)])),
    }),
  ]
}
