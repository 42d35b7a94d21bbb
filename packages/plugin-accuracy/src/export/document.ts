import type { AccuracyResult, AccuracyScore, JsonObject } from '@aiperf/core'

/** `accuracy` of the summary JSON. */
export function accuracyDocument({ benchmark, grader, problems, answered, overall, tasks }: AccuracyResult): JsonObject {
  return {
    benchmark,
    grader_name: grader,
    problems,
    problems_answered: answered,
    total_evaluated: overall.graded,
    total_passed: overall.passed,
    ...rateOf(overall),
    overall_unparsed: overall.unparsed,
    failed_requests: overall.failed,
    per_task: Object.fromEntries(tasks.map((score) => [score.task!, { correct: score.passed, total: score.graded, unparsed: score.unparsed, failed_requests: score.failed, ...rateOf(score) }])),
  }
}

const rateOf = ({ rate, interval }: AccuracyScore): JsonObject => (rate === undefined ? {} : { accuracy_rate: rate, accuracy_interval: [...interval!], interval_method: 'Wilson, 95 %' })
