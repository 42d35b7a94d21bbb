import type { Json, JsonObject } from '../contracts/dataset.js'
import type { Overlay } from '../contracts/orchestration.js'
import type { Problem } from '../errors.js'
import { didYouMean } from '../host/nearest.js'
import { isJsonObject } from '../json.js'
import type { ConfigFile, FilePhase } from './config-file.js'
import { problemOf, problemsOf, type Given } from './given.js'
import { check } from './json-schema.js'
import { normalise, type Fault } from './normalise.js'
import { PHASE, type OptionEntry, type OptionNode, type OptionTable } from './table.js'

/** Paths that are so common in sweeps that they may be written short. */
const SHORT = new Map(
  ['concurrency', 'prefillConcurrency', 'rate', 'requests', 'duration', 'sessions', 'users', 'smoothness', 'gracePeriod', 'concurrencyRamp', 'prefillRamp', 'rateRamp', 'rateSeries'].map((key) => [form(key), `phases.profiling.${key}`]),
)
/** Keys that decide what the others mean, or that a point may not change. */
const DISCRIMINATORS = ['peaks', 'points', 'value', 'median', 'stddev']

function form(key: string): string {
  return key.replaceAll(/[-_]/g, '').toLowerCase()
}

/** A value for a key of a phase, which wins over flags and files. */
export interface PhaseValue {
  phase: string
  key: string
  value: Json
  name: string
}

/** Reads the values of a point, by path: those of phases apart, because what they mean depends on the phase's mode. */
export function pointValues(values: Readonly<Record<string, Json>>, table: OptionTable): { given: Given[]; phaseValues: PhaseValue[]; problems: Problem[] } {
  const given: Given[] = []
  const phaseValues: PhaseValue[] = []
  const problems: Problem[] = []
  for (const [written, value] of Object.entries(values)) {
    if (written.startsWith(VARIABLE)) continue
    const [head, phase, ...keys] = fullPath(written).split('.')
    const ofPhase = head === 'phases' && phase !== undefined && keys.length > 0
    const places = placesOf(ofPhase ? `${PHASE}.${keys.join('.')}` : fullPath(written).replace(/^datasets\.[^.]+\./, 'dataset.'), value, table)
    if (places.length === 0) problems.push(unknownPath(written, table))
    for (const { entry, value: item } of places) {
      const faults: Fault[] = []
      const found = normalise(entry.schema, item, {}, faults)
      const wrong = faults.length > 0 ? faults.map((fault) => problemOf(written, fault.message, fault.hint)) : problemsOf(check(entry.schema, found), entry.schema, written)
      if (wrong.length > 0) problems.push(...wrong)
      else if (ofPhase) phaseValues.push({ phase, key: entry.path.slice(PHASE.length + 1), value: found, name: written })
      else given.push({ entry, warmup: false, value: found, source: 'point', name: written })
    }
  }
  return { given, phaseValues, problems }
}

/** The options that a path means, each with its part of the value: a path may stop at a group that has a shorthand, or set several of its keys. */
function placesOf(path: string, value: Json, table: OptionTable): { entry: OptionEntry; value: Json }[] {
  const entry = table.entries.find((e) => form(e.path) === form(path))
  if (entry) return [{ entry, value }]
  const node = nodeAt(path, table)
  if (!node || node.children.size === 0) return []
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, item]) => placesOf(`${path}.${key}`, item, table))
  return node.shorthand === undefined ? [] : placesOf(`${path}.${node.shorthand}`, value, table)
}

function nodeAt(path: string, table: OptionTable): OptionNode | undefined {
  let node: OptionNode | undefined = table.body
  for (const key of path.split('.')) node = node && [...node.children].find(([name]) => name === key || form(name) === form(key))?.[1]
  return node
}

/** A path as points are named by it: short ones spelled out. */
export const fullPath = (written: string): string => SHORT.get(form(written)) ?? written

/**
 * How a point names an option: `phases.profiling.concurrency`, `datasets.main.prompts.isl` (the key that a bare value of its
 * group stands for is left out).
 */
export function pathOf({ entry, warmup }: Pick<Given, 'entry' | 'warmup'>, names: { profiling: string; warmup: string; dataset: string }, table: OptionTable): string {
  const keys = entry.path.split('.')
  const group = nodeAt(keys.slice(0, -1).join('.'), table)
  const path = group?.shorthand === keys.at(-1) ? keys.slice(0, -1).join('.') : entry.path
  return path.replace(PHASE, `phases.${warmup ? names.warmup : names.profiling}`).replace(/^dataset\./, `datasets.${names.dataset}.`)
}

/** Prefix of paths that set a variable of the config file. */
const VARIABLE = 'variables.'

/** Variables that an overlay sets. */
export function overlaidVariables({ values = {}, variables = {} }: Overlay): JsonObject {
  return { ...variables, ...Object.fromEntries(Object.entries(values).filter(([path]) => path.startsWith(VARIABLE)).map(([path, value]) => [path.slice(VARIABLE.length), value])) }
}

/** A config file whose templates see other values of variables. */
export function withVariables(file: ConfigFile, variables: JsonObject): ConfigFile {
  const key = Object.keys(file.content).find((name) => form(name) === 'variables') ?? 'variables'
  const below = file.content[key]
  return { ...file, content: { ...file.content, [key]: { ...(isJsonObject(below) ? below : {}), ...variables } }, lineOf: (path) => file.lineOf(path) }
}

function unknownPath(written: string, table: OptionTable): Problem {
  const known = table.entries.map((e) => e.path.replace('phases.*', 'phases.profiling'))
  return problemOf(written, 'is no path of a run', didYouMean(written, known) || 'aiperf config schema shows every path.')
}

/** Whether a phase is the one that a path names: by its name, its number, or `profiling` for the only one of that kind. */
export function isNamed(phase: string, draft: Pick<FilePhase, 'name' | 'kind'>, at: number, all: readonly Pick<FilePhase, 'kind'>[]): boolean {
  if (phase.toLowerCase() === draft.name.toLowerCase()) return true
  if (/^\d+$/.test(phase)) return Number(phase) === at
  return phase === 'profiling' && draft.kind === 'profiling' && all.filter((d) => d.kind === 'profiling').length === 1
}

/** A config file with another `benchmark` laid over its own. */
export function withBenchmark(file: ConfigFile | undefined, benchmark: JsonObject): ConfigFile {
  const content = file?.content ?? {}
  const nested = Object.keys(content).find((key) => key.toLowerCase() === 'benchmark')
  const over = (body: Json): Json => deepMerge(body, inFormOf(body, benchmark))
  const merged = nested === undefined ? (over(content) as JsonObject) : { ...content, [nested]: over(content[nested]!) }
  return { name: 'the scenario', ...file, content: merged, lineOf: (path) => file?.lineOf(path) }
}

/** The short ways to write the only item of a list: `dataset` for `datasets`, `profiling` and `warmup` for `phases`. */
const SINGULAR: Readonly<Record<string, { list: string; is(item: JsonObject): boolean }>> = {
  dataset: { list: 'datasets', is: () => true },
  profiling: { list: 'phases', is: (phase) => phase['kind'] === 'profiling' || phase['name'] === 'profiling' },
  warmup: { list: 'phases', is: (phase) => phase['kind'] === 'warmup' || phase['name'] === 'warmup' },
}

/** A short way to write what the mapping below has in a list becomes an item of that list's name, so that they meet. */
function inFormOf(below: Json, above: JsonObject): JsonObject {
  if (!isJsonObject(below)) return above
  const written: JsonObject = {}
  for (const [key, value] of Object.entries(above)) {
    const singular = SINGULAR[form(key)]
    const list = singular && Object.entries(below).find(([name, items]) => form(name) === singular.list && Array.isArray(items))
    const items = list ? (list[1] as Json[]).filter((item): item is JsonObject => isJsonObject(item) && singular!.is(item)) : []
    const [item] = items
    if (items.length === 1 && isJsonObject(value) && typeof item!['name'] === 'string') written[list![0]] = [...((written[list![0]] as Json[] | undefined) ?? []), { name: item!['name'], ...value }]
    else written[key] = value
  }
  return written
}

/**
 * Mappings are merged, lists of named mappings by name, everything else is replaced. A distribution of another law replaces
 * the one below it whole.
 */
function deepMerge(below: Json, above: Json): Json {
  if (Array.isArray(below) && Array.isArray(above) && [...below, ...above].every((item) => isJsonObject(item) && typeof item['name'] === 'string')) {
    const merged = below.map((item) => {
      const over = above.find((other) => (other as JsonObject)['name'] === (item as JsonObject)['name'])
      return over === undefined ? item : deepMerge(item, over)
    })
    return [...merged, ...above.filter((item) => !below.some((other) => (other as JsonObject)['name'] === (item as JsonObject)['name']))]
  }
  if (!isJsonObject(below) || !isJsonObject(above)) return structuredClone(above)
  const law = (value: JsonObject) => DISCRIMINATORS.filter((key) => key in value).join()
  if (law(below) !== '' && law(above) !== '' && law(below) !== law(above)) return structuredClone(above)
  const merged: JsonObject = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const present = Object.keys(merged).find((other) => form(other) === form(key)) ?? key
    merged[present] = merged[present] === undefined ? structuredClone(value) : deepMerge(merged[present], value)
  }
  return merged
}
