import type { LoadReport, Source } from './dataset.js'
import type { PlainContext } from './define.js'

/** A problem with a known answer: one request. */
export interface AccuracyProblem {
  /** Unique within the benchmark; absent: the task and the number of the problem. */
  id?: string
  /** The part of the benchmark it belongs to, for which accuracy is told apart. */
  task: string
  /** For endpoints that take a conversation. */
  messages: { role: string; content: string }[]
  /** The same as one text, for endpoints that take a bare prompt. */
  prompt: string
  /** Upper limit of generated tokens. */
  maxTokens: number
  /** Texts at which the model is to stop. */
  stop?: string[]
  /** The right answer, as the grader reads it. */
  gold: string
}

/** What a benchmark declares in its manifest entry (`meta`). */
export interface AccuracyBenchmarkMeta {
  description: string
  /** Grader of the answers, unless the user names another. */
  defaultGrader: string
  /** `file`: the problems stand in `--input-file` (or inline records); absent: the benchmark has them, or fetches them. */
  source?: 'file'
  /** Solved examples before each question, and how many there can be at most. Absent: 0, it has none to show. */
  defaultShots?: number
  mostShots?: number
  /** Whether the model is asked to think step by step. Absent: the benchmark asks one way only. */
  defaultCot?: boolean
  /** System message of every problem, unless the user gives one. */
  defaultSystemPrompt?: string
}

/** What a benchmark is given besides its options. */
export interface AccuracyContext<Options> extends PlainContext<Options> {
  /** The name by which the benchmark was chosen; one module may serve several. */
  name: string
  /** Tasks that are wanted, as the user wrote them; empty: all. The host leaves out problems of others. */
  tasks: readonly string[]
  /** Solved examples to put before each question, from 0 to `mostShots`. */
  shots: number
  /** Ask the model to think step by step. */
  cot: boolean
}

/** Problems of an accuracy benchmark: the same ones, in the same order, each time. */
export interface AccuracyBenchmark {
  /** Reads or makes the problems. A row that is none goes to `report.bad`; an `AiperfError` ends the run before it sends anything. */
  problems(source: Source, report: LoadReport): AsyncIterable<AccuracyProblem>
}

/** What a grader says of one answer. */
export interface Grade {
  passed: boolean
  /** A fallback beyond the expected format was used to find the answer, or none was found. */
  unparsed: boolean
  /** The answer that was found; empty: none. */
  actual: string
  /** Why, in words, for files. */
  explanation?: string
}

/** Judges answers. Pure: the same answer has the same grade, also offline, long after the run. */
export interface AccuracyGrader {
  /** `answer`: the text without reasoning, `''` when nothing was said; `gold` as the problem has it. A throw is told as the grader's fault (`E_PLUGIN_SHAPE`); the run keeps its other results. */
  grade(answer: string, gold: string): Grade | Promise<Grade>
}

/** How a task, or all of them, went. */
export interface AccuracyScore {
  /** Undefined: all tasks together. */
  task: string | undefined
  /** Answers that were graded, and of these the right ones and those that had to be searched for. */
  graded: number
  passed: number
  unparsed: number
  /** Requests that failed: nothing to grade. */
  failed: number
  /** passed / graded; undefined when nothing was graded. */
  rate?: number
  /** 95 % confidence interval of the rate (Wilson 1927, doi:10.1080/01621459.1927.10502953). */
  interval?: readonly [low: number, high: number]
}

/** An answer with its grade, and the request that it came from. */
export interface GradedAnswer extends Grade {
  /** The request, as in `RecordView`. */
  ordinal: number
  session: number
  conversation: number
  worker: number
  phase: number
  /** When the answer was complete, on the run's clock. */
  endNs: number
  task: string
  gold: string
  /** What was said, and what was thought before. */
  text: string
  reasoning: string
}

/** The metric that a score of a task is a part of: `accuracy.overall` of `accuracy.task.law`; any other tag itself. */
export function wholeScore(tag: string): string {
  if (tag.startsWith('accuracy.task.')) return 'accuracy.overall'
  return tag.startsWith('accuracy.unparsed.task.') ? 'accuracy.unparsed' : tag
}

/** Accuracy of a run that asked the problems of a benchmark. Warm-up is not graded. */
export interface AccuracyResult {
  benchmark: string
  grader: string
  /** Problems there are, and those of them that were asked and answered. */
  problems: number
  answered: number
  overall: AccuracyScore
  /** By name. */
  tasks: readonly AccuracyScore[]
  /** Every answer that is not right is listed on the screen (`--accuracy-verbose`). */
  verbose: boolean
  /** In order of dispatch. */
  answers(): AsyncIterable<GradedAnswer>
}
