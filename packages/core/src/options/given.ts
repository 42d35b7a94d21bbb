import type { Json } from '../contracts/dataset.js'
import type { Problem } from '../errors.js'
import { REDACTED, withoutUserInfo } from '../secrets.js'
import { check, expectation, type Issue, type JsonSchema } from './json-schema.js'
import type { OptionEntry } from './table.js'
import { normalise, readJsonFile, type Fault } from './normalise.js'
import { readText } from './text-values.js'

/** `point`: the values of one point of a sweep. */
export type SourceKind = 'point' | 'flag' | 'variable' | 'file'

/** A value somebody gave for an option. */
export interface Given {
  entry: OptionEntry
  /** Set for the warm-up twin of an option. */
  warmup: boolean
  value: Json
  source: SourceKind
  /** As the user wrote it: `--isl`, `AIPERF_URL`, `phases.profiling.rate in run.yaml`. */
  name: string
  /** All values of a comma list that asks for a sweep; `value` is the first. */
  sweep?: Json[]
}

const MAX_SHOWN = 120

/** A value as messages show it: JSON, shortened; what may hold a secret is not shown. */
export function shown(value: Json, schema?: JsonSchema): string {
  if (schema?.secret) return REDACTED
  const text = withoutUserInfo(JSON.stringify(value))
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Reads the texts given for an option (several when a flag was repeated) and checks the value's bounds. */
export function givenFromTexts(entry: OptionEntry, warmup: boolean, texts: readonly string[], source: SourceKind, name: string): Given | Problem[] {
  const { schema } = entry
  if (schema.comma === 'sweep' && texts[0]!.includes(',')) return sweepFromText(entry, warmup, texts[0]!, source, name)
  const parts: Json[] = []
  for (const text of texts) {
    if (schema.file === 'json') {
      const faults: Fault[] = []
      const content = readJsonFile(text)
      if (content instanceof Error) return [problemOf(name, content.message)]
      parts.push(normalise({ ...schema, file: undefined } as unknown as JsonSchema, content, {}, faults))
      if (faults.length > 0) return faults.map((fault) => problemOf(name, `(${text}) ${fault.path.join('.')} ${fault.message}`, fault.hint))
      continue
    }
    const read = readText(schema, text)
    if (!('value' in read)) return [problemOf(name, schema.secret ? read.message.replace(/, got .*$/s, '') : withoutUserInfo(read.message))]
    parts.push(read.value)
  }
  const value = joined(parts)
  const problems = problemsOf(check(schema, value), schema, name)
  return problems.length > 0 ? problems : { entry, warmup, value, source, name }
}

function sweepFromText(entry: OptionEntry, warmup: boolean, text: string, source: SourceKind, name: string): Given | Problem[] {
  const sweep: Json[] = []
  for (const part of text.split(',')) {
    const read = readText(entry.schema, part.trim())
    if (!('value' in read)) return [problemOf(name, read.message)]
    const problems = problemsOf(check(entry.schema, read.value), entry.schema, name)
    if (problems.length > 0) return problems
    sweep.push(read.value)
  }
  return { entry, warmup, value: sweep[0]!, source, name, sweep }
}

/** Lists are appended, mappings merged; of anything else the last counts. */
function joined(parts: Json[]): Json {
  if (parts.every(Array.isArray)) return parts.flat(1)
  if (parts.length > 1 && parts.every((part) => typeof part === 'object' && part !== null)) return Object.assign({}, ...parts) as Json
  return parts.at(-1)!
}

/** Schema issues as sentences that begin with the option's name. */
export function problemsOf(issues: readonly Issue[], schema: JsonSchema, name: string): Problem[] {
  return issues.map((issue) => {
    const inside = issue.path.length > 0 ? ` (at ${issue.path.join('.')})` : ''
    const got = issue.got === undefined ? '' : `, got ${shown(issue.got, schema)}`
    return problemOf(name, `${issue.message}${inside}${got}`)
  })
}

export const problemOf = (name: string, message: string, hint?: string): Problem => ({
  flags: [name],
  message: `${name} ${message}.`,
  ...(hint === undefined ? {} : { hint }),
})

/** Of a missing value. */
export const missingValue = (entry: OptionEntry, name: string): Problem => problemOf(name, `needs a value: it ${expectation(entry.schema)}`)
