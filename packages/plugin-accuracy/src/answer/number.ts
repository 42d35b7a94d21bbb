import type { Grade } from '@aiperf/core'

/** How far two numbers may be apart that are the same. */
export const SAME = 1e-6
const NUMBER = /-?\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|-?\.\d+/g

/** The last number of a text; thousands may be set off by commas. */
export function lastNumber(text: string): string | undefined {
  return text.match(NUMBER)?.at(-1)?.replaceAll(/[,$]/g, '')
}

/** The number after `####`, the form of GSM8K, else the last number. The right answer is read in the same way. */
export function numberGrade(answer: string, gold: string): Grade {
  const marked = answer.includes('####') ? lastNumber(afterMark(answer).split('\n', 1)[0]!) : undefined
  const actual = marked ?? lastNumber(answer) ?? ''
  const right = lastNumber(afterMark(gold))
  return { passed: actual !== '' && right !== undefined && Math.abs(Number(actual) - Number(right)) <= SAME, unparsed: marked === undefined, actual }
}

const afterMark = (text: string): string => text.slice(text.lastIndexOf('####') + 1).replace(/^#+/, '')
