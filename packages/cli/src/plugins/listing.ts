import { KINDS, type Kind } from '@aiperf/core'
import { contributionsOf, type IndexedContribution, type IndexedPackage, type PluginIndex } from '@aiperf/core/host'
import { expectation, type JsonSchema } from '@aiperf/core/options'
import { columns, wrap } from '../text-layout.js'
import type { Kept } from './home.js'

const ORIGIN = { bundled: 'comes with aiperf', linked: 'linked', installed: 'installed' } as const
const describe = (c: IndexedContribution): string => (typeof c.meta['description'] === 'string' ? c.meta['description'] : '')

/** Errors that a contribution of a kind may end a run with, besides those of any plugin (`E_PLUGIN_*`). */
const ERRORS_OF: Partial<Record<Kind, string>> = {
  endpoint: 'E_ENCODE: a turn it cannot send; what it cannot read of an answer is counted in the results', transport: 'none: a request that fails is counted in the results', dataset_loader: 'E_DATASET, E_INPUT_FILE', tokenizer: 'E_TOKENIZER',
  timing_mode: 'E_CONFIG: options that do not go together', exporter: 'E_EXPORT, after the run: the other files are written', telemetry_source: 'none: what it cannot sample is told beside the results', search_recipe: 'E_CONFIG: options that do not go together',
  accuracy_benchmark: 'E_DATASET, E_INPUT_FILE', accuracy_grader: 'E_PLUGIN_SHAPE, after the run: an answer that it cannot judge; the other files are written',
}

/** Where a package came from, as the user said it. */
export function fromOf(p: IndexedPackage, kept: readonly Kept[]): string {
  const item = kept.find((one) => one.name === p.name && (one.type === 'link') === (p.origin === 'linked'))
  if (p.origin === 'bundled' || !item) return ORIGIN[p.origin]
  return item.type === 'link' ? `linked from ${item.root}` : `installed from ${item.url ?? `the registry (${item.tag ?? 'latest'})`}`
}

/** How many contributions of each kind a package has. */
export function offers(index: PluginIndex, p: IndexedPackage): Partial<Record<Kind, number>> {
  const counts: Partial<Record<Kind, number>> = {}
  if (p.replacedBy === undefined) for (const c of index.contributions) if (c.package === p.name) counts[c.kind] = (counts[c.kind] ?? 0) + 1
  return counts
}

/** One line a package; what is wrong with one stands below it. */
export function packageTable(index: PluginIndex, kept: readonly Kept[]): string {
  const rows = index.packages.map((p) => {
    const offered = Object.entries(offers(index, p)).map(([kind, count]) => `${count} ${kind}`).join(', ')
    return [p.name, p.version, fromOf(p, kept), p.replacedBy === undefined ? offered || 'nothing' : `not used: replaced by ${p.replacedBy}`]
  })
  const broken = [...index.packages.filter((p) => p.problem).map((p) => `${p.name}: ${p.problem}`), ...index.contributions.filter((c) => c.problem).map((c) => `${c.package}: ${c.kind} ${c.name}: ${c.problem}`)]
  return `${columns([['PACKAGE', 'VERSION', 'FROM', 'CONTRIBUTES'], ...rows])}${broken.length > 0 ? `\nProblems (they matter only to a run that asks for the thing):\n${broken.map((line) => `  ${line}\n`).join('')}` : ''}`
}

/** Every kind, and what there is of it. */
export function kindTable(index: PluginIndex): string {
  return (Object.keys(KINDS) as Kind[])
    .map((kind) => {
      const names = contributionsOf(index, kind).map((c) => c.name)
      return `${kind} — ${KINDS[kind].title}\n${wrap(names.length === 0 ? '(none installed)' : names.join(', '), 2)}`
    })
    .join('\n')
}

/** The contributions of a kind. */
export function contributionTable(index: PluginIndex, kind: Kind): string {
  const rows = contributionsOf(index, kind).map((c) => [c.name, `${c.package} ${c.version}`, c.problem ? `cannot be used: ${c.problem}` : [describe(c).replace(/[^.!?]$/, '$&.'), needs(c)].filter(Boolean).join(' ')])
  return `${KINDS[kind].title}\n\n${rows.length === 0 ? 'No installed package offers any.\n' : columns([['NAME', 'PACKAGE', 'DESCRIPTION'], ...rows])}`
}

/** Options without which it cannot be used. */
function needs({ options }: IndexedContribution): string {
  const missing = (options?.required ?? []).filter((key) => options?.properties?.[key]?.default === undefined && !options?.properties?.[key]?.properties).map((key) => options?.properties?.[key]?.flag ?? key)
  return missing.length === 0 ? '' : `Needs ${missing.join(', ')}.`
}

/** Everything the manifests say of one contribution. */
export function contributionLines(c: IndexedContribution): string {
  const { description: _description, ...meta } = c.meta
  const facts = [['package', `${c.package} ${c.version}`], ['module', c.entry], ['errors', ERRORS_OF[c.kind] ?? 'none of its own'], ...Object.entries(meta).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])]
  const lines = [`${c.kind} ${c.name}`, wrap(describe(c), 2).trimEnd(), columns(facts, 2).trimEnd()]
  if (c.problem) lines.push(wrap(`Cannot be used: ${c.problem}.`, 2).trimEnd())
  const options = [...optionLines(c.options?.properties ?? {}, '')]
  if (options.length > 0) lines.push('', '  OPTIONS', columns(options, 4).trimEnd())
  if (c.metrics) lines.push('', '  METRICS', columns(c.metrics.map((m) => [m.tag, m.header, m.displayUnit ?? m.unit, m.description]), 4).trimEnd())
  return `${lines.join('\n')}\n`
}

function* optionLines(properties: NonNullable<NonNullable<IndexedContribution['options']>['properties']>, prefix: string): Generator<string[]> {
  for (const [key, schema] of Object.entries(properties)) {
    if (schema.properties && schema.flag === undefined) yield* optionLines(schema.properties, `${prefix}${key}.`)
    else yield [`${prefix}${key}`, [schema.flag, ...(schema.aliases ?? [])].filter(Boolean).join(', ') || '(config file)', `${(schema.description ?? '').replace(/\.$/, '')} (${limits(schema)}).`]
  }
}

/** What values an option takes, and which it has when nobody says. */
const limits = (schema: JsonSchema): string => `${expectation(schema).replace(/^must be /, '')}${schema.default === undefined ? '' : `, by default ${JSON.stringify(schema.default)}`}`
