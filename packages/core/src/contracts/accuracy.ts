/**
 * A problem with a known answer. These contracts are kept as all others are, listed and checked; no run asks for a benchmark
 * or a grader yet.
 */
export interface AccuracyProblem {
  task: string
  messages: { role: string; content: string }[]
  prompt: string
  maxTokens: number
  stop?: string[]
  gold: string
}

/** Problems of an accuracy benchmark. */
export interface AccuracyBenchmark {
  problems(): AsyncIterable<AccuracyProblem>
  defaultGrader: string
}

export interface Grade {
  passed: boolean
  /** A fallback beyond the expected format was used to find the answer. */
  unparsed: boolean
  actual: string
  explanation?: string
}

export interface AccuracyGrader {
  grade(answer: string, gold: string): Grade | Promise<Grade>
}
