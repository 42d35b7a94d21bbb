import type { Json, JsonObject } from '../contracts/dataset.js'
import type { Problem } from '../errors.js'
import { didYouMean } from '../host/nearest.js'
import { isMapping } from './chosen.js'
import type { ConfigFile, FilePhase } from './config-file.js'
import { problemOf, problemsOf, type Given } from './given.js'
import { check } from './json-schema.js'
import { PHASE, type OptionTable } from './table.js'

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
    const path = (SHORT.get(form(written)) ?? written).replace(/^datasets\.[^.]+\./, 'dataset.')
    const [head, phase, ...keys] = path.split('.')
    if (head === 'phases' && phase !== undefined && keys.length > 0) {
      const entries = table.entries.filter((e) => form(e.path) === form(`${PHASE}.${keys.join('.')}`))
      if (entries.length === 0) problems.push(unknownPath(written, table))
      else phaseValues.push({ phase, key: entries[0]!.path.slice(PHASE.length + 1), value, name: written })
      continue
    }
    const entry = table.entries.find((e) => form(e.path) === form(path))
    if (!entry) problems.push(unknownPath(written, table))
    else {
      const found = problemsOf(check(entry.schema, value), entry.schema, written)
      if (found.length > 0) problems.push(...found)
      else given.push({ entry, warmup: false, value, source: 'point', name: written })
    }
  }
  return { given, phaseValues, problems }
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
  const merged = nested === undefined ? (deepMerge(content, benchmark) as JsonObject) : { ...content, [nested]: deepMerge(content[nested]!, benchmark) }
  return { name: file?.name ?? 'the scenario', content: merged, lineOf: (path) => file?.lineOf(path) }
}

/**
 * Mappings are merged, lists of named mappings by name, everything else is replaced. A distribution of another law replaces
 * the one below it whole.
 */
export function deepMerge(below: Json, above: Json): Json {
  if (Array.isArray(below) && Array.isArray(above) && [...below, ...above].every((item) => isMapping(item) && typeof item['name'] === 'string')) {
    const merged = below.map((item) => {
      const over = above.find((other) => (other as JsonObject)['name'] === (item as JsonObject)['name'])
      return over === undefined ? item : deepMerge(item, over)
    })
    return [...merged, ...above.filter((item) => !below.some((other) => (other as JsonObject)['name'] === (item as JsonObject)['name']))]
  }
  if (!isMapping(below) || !isMapping(above)) return structuredClone(above)
  const law = (value: JsonObject) => DISCRIMINATORS.filter((key) => key in value).join()
  if (law(below) !== '' && law(above) !== '' && law(below) !== law(above)) return structuredClone(above)
  const merged: JsonObject = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const present = Object.keys(merged).find((other) => form(other) === form(key)) ?? key
    merged[present] = merged[present] === undefined ? structuredClone(value) : deepMerge(merged[present], value)
  }
  return merged
}
