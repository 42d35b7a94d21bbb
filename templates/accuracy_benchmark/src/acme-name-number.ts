import { defineAccuracyGrader } from '@aiperf/core'

export default defineAccuracyGrader({
  create: () => ({
    grade(answer, gold) {
      const trimmed = answer.trim()
      const actual = trimmed.match(/-?\d+(?=\D*$)/)?.[0] ?? ''
      // Right, but not in the form that was asked for: a person may want to know.
      return { passed: actual !== '' && Number(actual) === Number(gold), unparsed: actual !== trimmed, actual }
    },
  }),
})
