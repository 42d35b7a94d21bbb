import { ConfigurationError, isJsonObject, type Json, type JsonObject, type Problem } from '@aiperf/core'
import { didYouMean } from '@aiperf/core/host'
import type { JsonSchema } from '@aiperf/core/options'
import { object, text } from '../runs/facts.js'
import type { CatalogEntry } from './catalog.js'
import { classificationOf, type Classification } from './classify.js'
import type { PlotConfigFile } from './config-file.js'

/** What a config file says, over the catalog of the installed packages. */
export interface PlotPlan {
  /** Every plot by name. */
  entries: Map<string, CatalogEntry>
  /** Names to draw, in order; undefined: the defaults of the catalog. */
  run: readonly string[] | undefined
  runs: readonly string[] | undefined
  classification?: Classification
  notices: string[]
}

/** Keys that say nothing here: where a metric is found and how lines look is decided by the plot. */
const WITHOUT_EFFECT = ['source', 'primary_style', 'secondary_style', 'supplementary_col', 'use_slice_duration']
const SECTIONS = ['visualization', 'settings', 'experiment_classification']
const VISUALIZATION = ['multi_run_defaults', 'single_run_defaults', 'multi_run_plots', 'single_run_plots']
const REDUCTIONS: Record<string, string> = { mean: 'mean', max: 'max', min: 'min', median: 'median' }

/** Lays a config file over the catalog. Every problem is collected. */
export function planOf(catalog: { named: readonly CatalogEntry[]; kinds: readonly CatalogEntry[] }, file: PlotConfigFile | undefined): PlotPlan {
  const plan: PlotPlan = { entries: new Map(catalog.named.map((entry) => [entry.name, entry])), run: undefined, runs: undefined, notices: [] }
  if (!file) return plan
  const problems: Problem[] = []
  const wrong = (at: string, message: string, hint?: string): void => void problems.push({ flags: [at], message: `${file.path}: ${at} ${message}`, ...(hint ? { hint } : {}) })
  for (const key of Object.keys(file.content)) if (!SECTIONS.includes(key)) wrong(key, 'is not known here.', didYouMean(key, SECTIONS))
  const visualization = object(file.content['visualization'])
  if (file.content['visualization'] === undefined) wrong('visualization', 'is missing.')
  for (const key of Object.keys(visualization)) if (!VISUALIZATION.includes(key)) wrong(`visualization.${key}`, 'is not known here.', didYouMean(key, VISUALIZATION))
  const windows = downsampling(file.content['settings'], wrong)
  for (const [section, scope] of [['single_run_plots', 'run'], ['multi_run_plots', 'runs']] as const)
    for (const [name, value] of Object.entries(object(visualization[section]))) {
      const entry = presetOf(name, scope, object(value), `visualization.${section}.${name}`)
      if (entry) plan.entries.set(name, entry)
    }
  const chosen = (key: 'single_run_defaults' | 'multi_run_defaults'): readonly string[] | undefined => {
    const value = visualization[key]
    if (value === undefined) return undefined
    const names = (Array.isArray(value) ? value : [value]).map(String)
    for (const name of names) if (!plan.entries.has(name)) wrong(`visualization.${key}`, `names the plot "${name}", which is not there.`, didYouMean(name, [...plan.entries.keys()]))
    return names
  }
  plan.run = chosen('single_run_defaults')
  plan.runs = chosen('multi_run_defaults')
  try {
    const classification = classificationOf(file.content['experiment_classification'])
    if (classification) plan.classification = classification
  } catch (error) {
    wrong('experiment_classification.group_extraction_pattern', `is no regular expression: ${(error as Error).message}.`)
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
  return plan

  function presetOf(name: string, scope: 'run' | 'runs', preset: JsonObject, at: string): CatalogEntry | undefined {
    const type = text(preset['type'])
    const kinds = catalog.kinds.map((kind) => kind.name)
    const kind = catalog.kinds.find((k) => k.name === type?.replaceAll('-', '_'))
    if (!kind) return void wrong(`${at}.type`, type === undefined ? 'is missing.' : `is no kind of plot: "${type}".`, type === undefined ? `Kinds: ${kinds.join(', ')}.` : didYouMean(type, kinds) || `Kinds: ${kinds.join(', ')}.`)
    if (kind.scope !== 'any' && kind.scope !== scope) return void wrong(`${at}.type`, `"${kind.name}" shows ${kind.scope === 'run' ? 'one run' : 'several runs'}; it stands under plots of ${scope === 'run' ? 'one run' : 'several'}.`)
    const schema = kind.contribution.options ?? {}
    const options: JsonObject = {}
    for (const [key, value] of Object.entries(preset)) {
      if (['type', 'title', 'description', 'stat'].includes(key) && !(key === 'title' && schema.properties?.['title'])) continue
      const own = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      if (schema.properties?.[own]) options[own] = value
      else if (WITHOUT_EFFECT.includes(key)) plan.notices.push(`${at}.${key} has no effect.`)
      else if (key === 'x' || key === 'labels' || key === 'groups' || key === 'autoscale') plan.notices.push(`${at}.${key} has no effect on a plot of kind ${kind.name}.`)
      else wrong(`${at}.${key}`, 'is not known here.', didYouMean(key, Object.keys(schema.properties ?? {})))
    }
    shapeMeasures(options, text(preset['stat']), schema)
    if (schema.properties?.['windowSeconds']) for (const [key, value] of Object.entries(windows)) options[key] ??= value
    return {
      name, scope, title: text(preset['title']) ?? kind.title, description: text(preset['description']) ?? kind.description,
      defaultFor: { run: false, runs: false }, contribution: kind.contribution, options,
    }
  }
}

/** `{metric, stat}` becomes what the kind takes: one option, a tag with `stat` apart, or the tag alone. */
function shapeMeasures(options: JsonObject, stat: string | undefined, schema: JsonSchema): void {
  for (const axis of ['x', 'y', 'y2']) {
    const value = options[axis]
    if (value === undefined) continue
    const whole = schema.properties?.[axis]?.anyOf?.some((branch) => branch.properties?.['metric']) === true
    const { metric, stat: own } = isJsonObject(value) ? (value as { metric?: Json; stat?: Json }) : { metric: value }
    const used = own ?? stat
    if (whole) options[axis] = used === undefined || (typeof value === 'string' && own === undefined && stat === undefined) ? value : ({ metric: metric ?? value, stat: used } as JsonObject)
    else if (metric !== undefined) {
      options[axis] = metric
      if (used !== undefined && axis === 'y' && schema.properties?.['stat']) options['stat'] = used
    }
  }
}

/** `settings.server_metrics_downsampling`. */
function downsampling(settings: Json | undefined, wrong: (at: string, message: string, hint?: string) => void): JsonObject {
  const section = object(object(settings)['server_metrics_downsampling'])
  const out: JsonObject = {}
  const seconds = section['window_size_seconds']
  if (seconds !== undefined && !(typeof seconds === 'number' && seconds > 0)) wrong('settings.server_metrics_downsampling.window_size_seconds', 'must be a number above 0.')
  else if (section['enabled'] === false) out['windowSeconds'] = 0.001
  else if (seconds !== undefined) out['windowSeconds'] = seconds
  const method = section['aggregation_method']
  if (method !== undefined && REDUCTIONS[String(method)] === undefined) wrong('settings.server_metrics_downsampling.aggregation_method', `must be one of ${Object.keys(REDUCTIONS).join(', ')}.`)
  else if (method !== undefined) out['aggregation'] = method
  return out
}
