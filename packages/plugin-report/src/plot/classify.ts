import type { JsonObject } from '@aiperf/core'
import { object, text } from '../runs/facts.js'
import type { LoadedRun } from '../runs/loaded.js'

/** How the runs of an experiment are told apart: by their names. */
export interface Classification {
  baselines: RegExp[]
  treatments: RegExp[]
  otherwise: 'baseline' | 'treatment'
  group?: RegExp
  names: Record<string, string>
}

const globs = (value: JsonObject[string] | undefined): RegExp[] =>
  (Array.isArray(value) ? value : []).map((glob) => new RegExp(`^${String(glob).split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`))

/** Reads `experiment_classification`; undefined when there is none. Throws a `SyntaxError` for a bad pattern. */
export function classificationOf(value: JsonObject[string] | undefined): Classification | undefined {
  if (value === undefined || value === null) return undefined
  const section = object(value)
  const pattern = text(section['group_extraction_pattern'])
  return {
    baselines: globs(section['baselines']),
    treatments: globs(section['treatments']),
    otherwise: section['default'] === 'baseline' ? 'baseline' : 'treatment',
    ...(pattern === undefined ? {} : { group: new RegExp(pattern) }),
    names: Object.fromEntries(Object.entries(object(section['group_display_names'])).map(([key, name]) => [key, String(name)])),
  }
}

/** Gives each run its class and its group as facts. */
export function classify(runs: readonly LoadedRun[], { baselines, treatments, otherwise, group, names }: Classification): LoadedRun[] {
  return runs.map((run) => {
    const segments = run.directory.split(/[\\/]/)
    const matches = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(run.name) || segments.some((segment) => pattern.test(segment)))
    const kind = matches(baselines) ? 'baseline' : matches(treatments) ? 'treatment' : otherwise
    const found = group === undefined ? undefined : segments.map((segment) => group.exec(segment)).findLast((m) => m !== null)
    const raw = found?.[1] ?? found?.[0] ?? kind
    return { ...run, facts: { ...run.facts, experiment_class: kind, experiment_group: names[raw] ?? raw } }
  })
}

