import { KINDS, type Kind } from '@aiperf/core'
import { contributionsOf, type IndexedContribution, type PluginIndex } from '@aiperf/core/host'
import { columns, wrap } from '../text-layout.js'

const ORIGIN = { bundled: 'comes with aiperf', linked: 'linked', installed: 'installed' } as const
const describe = (c: IndexedContribution): string => (typeof c.meta['description'] === 'string' ? c.meta['description'] : '')

/** One line a package; what is wrong with one stands below it. */
export function packageTable(index: PluginIndex): string {
  const rows = index.packages.map((p) => {
    const offered = p.replacedBy === undefined ? index.contributions.filter((c) => c.package === p.name).length : 0
    return [p.name, p.version, ORIGIN[p.origin], `${offered} contribution${offered === 1 ? '' : 's'}`, p.replacedBy === undefined ? p.description : `not used: replaced by ${p.replacedBy}`]
  })
  const broken = [...index.packages.filter((p) => p.problem).map((p) => `${p.name}: ${p.problem}`), ...index.contributions.filter((c) => c.problem).map((c) => `${c.package}: ${c.kind} ${c.name}: ${c.problem}`)]
  return `${columns([['PACKAGE', 'VERSION', 'ORIGIN', 'OFFERS', 'DESCRIPTION'], ...rows])}${broken.length > 0 ? `\nProblems (they matter only to a run that asks for the thing):\n${broken.map((line) => `  ${line}\n`).join('')}` : ''}`
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
  const rows = contributionsOf(index, kind).map((c) => [c.name, `${c.package} ${c.version}`, c.problem ? `cannot be used: ${c.problem}` : describe(c)])
  return `${KINDS[kind].title}\n\n${rows.length === 0 ? 'No installed package offers any.\n' : columns([['NAME', 'PACKAGE', 'DESCRIPTION'], ...rows])}`
}

/** Everything the manifests say of one contribution. */
export function contributionLines(c: IndexedContribution): string {
  const { description: _description, ...meta } = c.meta
  const lines = [`${c.kind} ${c.name}`, `  ${describe(c)}`, `  package  ${c.package} ${c.version}`, `  module   ${c.entry}`, ...Object.entries(meta).map(([key, value]) => `  ${key}  ${JSON.stringify(value)}`)]
  const options = [...optionLines(c.options?.properties ?? {}, '')]
  if (options.length > 0) lines.push('', '  OPTIONS', columns(options, 4).trimEnd())
  if (c.metrics) lines.push('', '  METRICS', columns(c.metrics.map((m) => [m.tag, m.header, m.displayUnit ?? m.unit, m.description]), 4).trimEnd())
  return `${lines.join('\n')}\n`
}

function* optionLines(properties: NonNullable<NonNullable<IndexedContribution['options']>['properties']>, prefix: string): Generator<string[]> {
  for (const [key, schema] of Object.entries(properties)) {
    if (schema.properties && schema.flag === undefined) yield* optionLines(schema.properties, `${prefix}${key}.`)
    else yield [`${prefix}${key}`, [schema.flag, ...(schema.aliases ?? [])].filter(Boolean).join(', '), schema.description ?? '']
  }
}
