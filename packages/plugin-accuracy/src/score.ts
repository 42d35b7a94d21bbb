import { defineMetric } from '@aiperf/core'

/** Scores are known when every answer is graded, after the journal was read: the host puts them where these have no value. */
const graded = { kind: 'derived', unit: 'ratio', gates: ['accuracy'], group: 'none', wholePhaseOnly: true, absence: 'no answer was graded', compute: () => undefined } as const

export default defineMetric(
  {
    ...graded,
    tag: 'accuracy.overall',
    header: 'Accuracy',
    largerIsBetter: true,
    description: 'Right answers of a benchmark. right / graded; failed requests have no answer and are not in it. `accuracy.task.<task>` is that of a task.',
  },
  {
    ...graded,
    tag: 'accuracy.unparsed',
    header: 'Unparsed Answers',
    description: 'Answers that did not have the form that was asked for. unparsed / graded. `accuracy.unparsed.task.<task>` is that of a task.',
  },
)
