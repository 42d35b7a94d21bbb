import { MockServerOptionError, optionNames, problemOf, suggestion } from './check.js'
import { MOCK_SERVER_OPTIONS } from './list.js'
import type { FaultOptions, MockServerOptions, ModelOptions } from './types.js'

/** Options that may stay absent after defaults have been filled in. */
type Absent = 'ttftDistribution' | 'itlDistribution' | 'outputTokens' | 'outputTokensDistribution' | 'countTokens' | 'log'

/** The options with every default filled in. */
export type ResolvedOptions = Required<Omit<MockServerOptions, Absent | 'model' | 'faults'>> &
  Pick<MockServerOptions, Absent> & { model: Required<ModelOptions> | undefined; faults: Required<FaultOptions> }

const GROUPS = ['model', 'faults'] as const
const LIBRARY_ONLY = ['countTokens', 'routes']

/** Fills in the defaults and checks everything. Throws one `MockServerOptionError` with all problems. */
export function resolveOptions(options: MockServerOptions): ResolvedOptions {
  const given = flatten(options)
  const problems: string[] = []
  for (const name of given.keys()) {
    if (!optionNames.includes(name) && !LIBRARY_ONLY.includes(name) && name !== 'faults') {
      problems.push(`${name}: there is no such option${suggestion(name, optionNames)}`)
    }
  }
  const resolved: Record<string, unknown> = { routes: options.routes ?? [], countTokens: options.countTokens }
  const groups: Record<string, Record<string, unknown>> = { model: {}, faults: {} }
  for (const option of MOCK_SERVER_OPTIONS) {
    const value = given.get(option.name)
    const problem = value === undefined ? undefined : problemOf(option, value)
    if (problem) problems.push(problem)
    const [group, member] = option.name.split('.') as [string, string?]
    if (member) groups[group]![member] = value ?? option.default
    else if (group !== 'model') resolved[group] = value ?? option.default
  }
  resolved['faults'] = groups['faults']
  resolved['model'] = options.model ? groups['model'] : undefined
  problems.push(...conflicts(given, Boolean(options.model)))
  if (problems.length > 0) throw new MockServerOptionError(problems)
  return resolved as unknown as ResolvedOptions
}

function flatten(options: MockServerOptions): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const isGroup = GROUPS.some((group) => group === name) && typeof value === 'object' && value !== null
    if (!isGroup) flat.set(name, value)
    else for (const [member, item] of Object.entries(value)) if (item !== undefined) flat.set(`${name}.${member}`, item)
  }
  return flat
}

function conflicts(given: ReadonlyMap<string, unknown>, batching: boolean): string[] {
  const problems: string[] = []
  const timed = ['ttftMs', 'itlMs', 'instant'].filter((name) => given.get(name))
  if (batching && timed.length > 0) problems.push(`model: it makes its own times, so leave out ${timed.join(', ')}`)
  const paced = ['ttftMs', 'itlMs'].filter((name) => given.get(name))
  if (given.get('instant') === true && paced.length > 0) problems.push(`instant: leave out ${paced.join(', ')}, or instant`)
  if (given.get('coalesce') === true && given.get('instant') !== true) problems.push('coalesce: it needs instant')
  for (const [stddev, law] of [['ttftStddevMs', 'ttftDistribution'], ['itlStddevMs', 'itlDistribution'], ['outputTokensStddev', 'outputTokensDistribution']] as const) {
    const kind = given.get(law)
    if (given.get(stddev) && (kind === 'fixed' || kind === 'exponential')) {
      problems.push(`${stddev}: a distribution that is ${kind} has no standard deviation to set`)
    }
  }
  if (given.get('outputTokensStddev') && !given.has('outputTokens')) problems.push('outputTokensStddev: it needs outputTokens, the mean')
  return problems
}
