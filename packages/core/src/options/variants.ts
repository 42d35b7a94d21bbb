import type { Json } from '../contracts/dataset.js'
import type { Scenario } from '../contracts/orchestration.js'
import type { Problem } from '../errors.js'
import { parseArguments } from './arguments.js'
import { problemOf, type Given } from './given.js'
import type { OptionTable } from './table.js'

/** Name of the point, and `key=value` items; commas within quotes belong to the value. */
const NAME = /^\s*([^=:,"']+):(?!\/\/)/
const ITEM = /\s*([^=,]*?)\s*=\s*("[^"]*"|'[^']*'|[^,]*)(?:,|$)/y

/**
 * Named points from `--variant "[name:] key=value, key=value"`. Keys are flags without dashes; each stands for the flag
 * with that value.
 */
export function readVariants(texts: readonly string[], name: string, table: OptionTable, pathOf: (given: Given) => string): { scenarios: Scenario[]; problems: Problem[] } {
  const problems: Problem[] = []
  const scenarios = texts.flatMap((text, at): Scenario[] => {
    const named = NAME.exec(text)
    const items = itemsOf(named ? text.slice(named[0].length) : text)
    if (!items || items.length === 0) {
      problems.push(problemOf(name, `must be "[name:] key=value, key=value", got ${JSON.stringify(text)}`))
      return []
    }
    const repeated = items.find(([key], i) => items.findIndex(([other]) => other === key) !== i)
    if (repeated) problems.push(problemOf(name, `sets ${repeated[0]} twice: ${JSON.stringify(text)}`))
    const argv = items.map(([key, value]) => `--${key}=${value}`)
    const parsed = parseArguments(argv, table)
    problems.push(...parsed.problems.map((problem) => ({ ...problem, message: `${name} ${JSON.stringify(text)}: ${problem.message}` })))
    const values = Object.fromEntries(parsed.given.map((given): [string, Json] => [pathOf(given), given.value]))
    return [{ name: named?.[1]!.trim() ?? `v${at}`, overlay: { argv }, values }]
  })
  if (texts.length === 1) problems.push(problemOf(name, 'is given once; a sweep needs at least two points', `Give ${name} again for every further point.`))
  return { scenarios, problems }
}

function itemsOf(text: string): [key: string, value: string][] | undefined {
  const items: [string, string][] = []
  ITEM.lastIndex = 0
  while (ITEM.lastIndex < text.length) {
    const found = ITEM.exec(text)
    if (!found) return undefined
    const [, key, value] = found as unknown as [string, string, string]
    if (!/^[A-Za-z][\w-]*$/.test(key)) return undefined
    items.push([key.replaceAll('_', '-'), value.trim().replace(/^(["'])(.*)\1$/, '$2')])
  }
  return items
}
