import type { Grade } from '@aiperf/core'

/** The right answer and nothing else; case counts. */
export function exactGrade(answer: string, gold: string): Grade {
  const actual = answer.trim()
  return { passed: actual !== '' && actual === gold.trim(), unparsed: actual === '', actual }
}
