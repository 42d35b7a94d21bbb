import type { Grade } from '@aiperf/core'

/**
 * Finds the letter that an answer gives, up to `last`: a first line that is the letter; the last "answer is (X)". Beyond
 * these, which are the forms that are asked for: "Answer: X", a lone letter in the first line, the last lone letter.
 */
export function choiceGrader(last: string): (answer: string, gold: string) => Grade {
  const letter = `[A-${last}]`
  const bare = new RegExp(`^[(\\[*\\s]*(${letter})[)\\].:*\\s]*$`)
  const said = new RegExp(`answer\\s+is[\\s:(\\[*$]*(?:\\\\boxed\\{|\\\\text\\{)*(${letter})(?![\\w'])`, 'gi')
  const named = new RegExp(`answer[\\s*]*:[\\s(\\[*$]*(?:\\\\boxed\\{|\\\\text\\{)*(${letter})(?![\\w'])`, 'gi')
  // "A dog" and "I think" give no letter.
  const lone = new RegExp(`(?<![\\w'])(${letter})(?![\\w'])(?!(?<=[AI])\\s+[a-z])`, 'g')
  const lastOf = (pattern: RegExp, text: string): string | undefined => [...text.matchAll(pattern)].at(-1)?.[1]?.toUpperCase()
  return (answer, gold) => {
    const text = answer.trim()
    const first = text.split('\n', 1)[0]!
    const expected = bare.exec(first)?.[1] ?? lastOf(said, text)
    const actual = expected ?? lastOf(named, text) ?? onlyOne(first.match(lone)) ?? lastOf(lone, text) ?? ''
    return { passed: actual !== '' && actual === gold.trim().toUpperCase(), unparsed: expected === undefined, actual }
  }
}

const onlyOne = (found: readonly string[] | null): string | undefined => (found?.length === 1 ? found[0] : undefined)
