import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AiperfError, createRandom, type AccuracyGrader, type AccuracyResult, type AccuracyScore, type Grade, type GradedAnswer, type MetricResult, type PhaseResult, type RecordView, type RunManifest } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import { Z } from '../evaluate/intervals.js'
import { JOURNAL } from '../journal/read.js'
import { PROBLEMS, type KeptProblem } from '../prepare/problems.js'
import type { AnswerText } from './answers.js'
import type { KeptManifest } from './result.js'

/** What is kept of an answer between its grade and the files: everything but the texts. */
type Kept = Omit<GradedAnswer, 'text' | 'reasoning'>

export interface GradeInput {
  directory: string
  manifest: Pick<KeptManifest, 'internal' | 'seed'> & Pick<RunManifest, 'phases' | 'dataset'>
  host: Host
  records(): AsyncIterable<{ record: RecordView }>
  /** In order of dispatch; each time from the beginning. */
  answers(): AsyncIterable<AnswerText>
}

/**
 * Grades every answer of the profiling phases by the problem that its request asked. A request that failed has no answer:
 * it is counted apart, and neither right nor wrong.
 */
export async function gradeRun({ directory, manifest, host, records, answers }: GradeInput): Promise<AccuracyResult> {
  const { benchmark, grader: name, graderOptions, verbose } = manifest.internal.model.accuracy!
  const problems = JSON.parse(readFileSync(join(directory, JOURNAL, PROBLEMS), 'utf8')) as KeptProblem[]
  const grader = await host.activate('accuracy_grader', name, { options: graderOptions, random: (stream) => createRandom(manifest.seed ?? 0, stream) })
  const graded = (answer: string, gold: string): Promise<Grade> => judged(grader, answer, gold, (reason, cause) => blame(host, name, reason, cause))
  const tallies = new Map<string, Tally>()
  const tallyOf = (task: string): Tally => tallies.get(task) ?? tallies.set(task, { graded: 0, passed: 0, unparsed: 0, failed: 0 }).get(task)!
  const asked = new Map<number, Omit<Kept, 'passed' | 'unparsed' | 'actual' | 'explanation'>>()
  for await (const { record } of records()) {
    const problem = problems[record.conversation]
    if (manifest.phases[record.phase]?.kind !== 'profiling' || !problem) continue
    if (!record.success) {
      // What the client itself ended, on purpose or at the end of the phase, is no failure.
      if (record.outcomeName !== 'cancelled' && record.outcomeName !== 'censored') tallyOf(problem.task).failed++
      continue
    }
    const { ordinal, session, conversation, worker, phase, endNs } = record
    asked.set(ordinal, { ordinal, session, conversation, worker, phase, endNs, task: problem.task, gold: problem.gold })
  }
  const kept = new Map<number, Kept>()
  for await (const { ordinal, text, reasoning } of answers()) {
    const one = asked.get(ordinal)
    if (!one) continue
    // Models that only think answer in what they thought.
    const grade = await graded(text === '' ? reasoning : text, one.gold)
    kept.set(ordinal, { ...one, ...grade })
    const tally = tallyOf(one.task)
    tally.graded++
    if (grade.passed) tally.passed++
    if (grade.unparsed) tally.unparsed++
  }
  const tasks = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([task, tally]) => score(task, tally))
  const sum = (key: keyof Tally): number => tasks.reduce((total, task) => total + task[key], 0)
  return {
    benchmark,
    grader: name,
    problems: manifest.dataset.sessions,
    answered: new Set([...kept.values()].map((answer) => answer.conversation)).size,
    overall: score(undefined, { graded: sum('graded'), passed: sum('passed'), unparsed: sum('unparsed'), failed: sum('failed') }),
    tasks,
    verbose,
    async *answers() {
      for await (const { ordinal, text, reasoning } of answers()) {
        const answer = kept.get(ordinal)
        if (answer) yield { ...answer, text, reasoning }
      }
    },
  }
}

/** A grader is a plugin's: what it does with an answer nobody foresaw must not cost the results of the run. */
async function judged(grader: AccuracyGrader, answer: string, gold: string, fault: (reason: string, cause?: unknown) => AiperfError): Promise<Grade> {
  let grade: Grade
  try {
    grade = await grader.grade(answer, gold)
  } catch (error) {
    throw fault(`it failed on an answer: ${(error as Error)?.message ?? String(error)}`, error)
  }
  if (typeof grade?.passed !== 'boolean' || typeof grade.unparsed !== 'boolean' || typeof grade.actual !== 'string') throw fault(`its grade has no passed, unparsed and actual: ${JSON.stringify(grade)}`)
  return grade
}

function blame(host: Host, name: string, reason: string, cause: unknown): AiperfError {
  const { package: owner, version } = host.find('accuracy_grader', name)
  return new AiperfError('E_PLUGIN_SHAPE', `The accuracy grader "${name}" of ${owner} ${version}: ${reason}`, { hint: `this is a fault of ${owner}: repair or upgrade it, then "aiperf export" grades the answers of this run`, cause })
}

type Tally = Pick<AccuracyScore, 'graded' | 'passed' | 'unparsed' | 'failed'>

function score(task: string | undefined, tally: Tally): AccuracyScore {
  const { graded, passed } = tally
  return { task, ...tally, ...(graded === 0 ? {} : { rate: passed / graded, interval: wilson(passed, graded) }) }
}

/** 95 % interval of a share by Wilson's score: it holds for few answers too, and for shares near 0 and 1. */
export function wilson(passed: number, of: number): readonly [low: number, high: number] {
  const share = passed / of
  const shrink = 1 + Z ** 2 / of
  const middle = (share + Z ** 2 / (2 * of)) / shrink
  const half = (Z / shrink) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  // Rounding must not put a bound beyond what is possible.
  return [passed === 0 ? 0 : middle - half, passed === of ? 1 : middle + half]
}

/** The scores become metrics of the profiling phases, for files, comparisons, sweeps and searches. */
export function addScores(profiling: PhaseResult, accuracy: AccuracyResult): void {
  for (const metric of scoreMetrics(accuracy)) profiling.metrics.set(metric.tag, metric)
  profiling.absent = profiling.absent.filter(({ tag }) => !profiling.metrics.has(tag))
}

function scoreMetrics({ overall, tasks }: AccuracyResult): MetricResult[] {
  const metric = (tag: string, header: string, { graded }: AccuracyScore, sum: number, interval?: AccuracyScore['interval']): MetricResult => ({
    tag, header, unit: 'ratio', group: 'none', kind: 'record', precision: 'exact', count: graded, sum, avg: sum / graded, ...(interval ? { intervals: { avg: interval } } : {}),
  })
  return [overall, ...tasks].filter((one) => one.graded > 0).flatMap((one) => {
    const [tag, of] = one.task === undefined ? ['overall', ''] : [`task.${one.task}`, `, ${one.task}`]
    return [metric(`accuracy.${tag}`, `Accuracy${of}`, one, one.passed, one.interval), metric(one.task === undefined ? 'accuracy.unparsed' : `accuracy.unparsed.${tag}`, `Unparsed Answers${of}`, one, one.unparsed)]
  })
}
