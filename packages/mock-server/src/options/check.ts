import { MOCK_SERVER_OPTIONS, type OptionDescription } from './list.js'

/** Thrown for options that make no sense; says all that is wrong at once. */
export class MockServerOptionError extends Error {
  override readonly name = 'MockServerOptionError'
  constructor(readonly problems: readonly string[]) {
    super(`The mock server cannot start with these options:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}

/** What is wrong with a value of an option, as a sentence, or undefined. */
export function problemOf(option: OptionDescription, value: unknown): string | undefined {
  const bad = (expected: string) => `${option.name}: expected ${expected}, got ${JSON.stringify(value) ?? String(value)}`
  if (option.type === 'boolean') return typeof value === 'boolean' ? undefined : bad('true or false')
  if (option.type === 'string') {
    if (typeof value !== 'string' || value === '') return bad(option.choices ? `one of ${option.choices.join(', ')}` : 'text')
    return option.choices && !option.choices.includes(value) ? bad(`one of ${option.choices.join(', ')}`) : undefined
  }
  if (option.type === 'strings') {
    const fine = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '')
    return fine ? undefined : bad('a list of names')
  }
  const whole = option.type !== 'number'
  const expected = `${whole ? 'a whole number' : 'a number'}${rangeOf(option)}`
  if (option.type === 'integers') {
    const fine = Array.isArray(value) && value.length > 0 && value.every((item) => isNumber(item, option, whole))
    return fine ? undefined : bad(`a list, each ${expected}`)
  }
  return isNumber(value, option, whole) ? undefined : bad(expected)
}

function isNumber(value: unknown, { min = -Infinity, max = Infinity }: OptionDescription, whole: boolean): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  return value >= min && value <= max && (!whole || Number.isInteger(value))
}

function rangeOf({ min, max }: OptionDescription): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  return min === undefined ? '' : `, ${min} or more`
}

/** `; did you mean ttftMs?`, where a known name is near to the one given. */
export function suggestion(given: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance)[0]
  return near && near.distance <= Math.max(2, given.length / 3) ? `; did you mean ${near.name}?` : ''
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[right.length]!
}

export const optionNames: readonly string[] = MOCK_SERVER_OPTIONS.map((option) => option.name)
