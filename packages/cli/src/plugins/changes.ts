import type { IndexedContribution, PluginIndex } from '@aiperf/core/host'
import { columns } from '../text-layout.js'
import type { Candidate } from './candidate.js'

const nameOf = (c: IndexedContribution): string => `${c.kind} ${c.name}`
const describe = (c: IndexedContribution): string => (typeof c.meta['description'] === 'string' ? c.meta['description'] : '')

/** What is about to be installed: contents, options as flags, scripts, integrity. */
export function announcement({ package: found, contributions, integrity, scripts, spec }: Candidate, index: PluginIndex, runsScripts: boolean): string {
  const flags = contributions.flatMap((c) => flagsOf(c.options?.properties ?? {}))
  const present = index.packages.find((p) => p.name === found.name && p.replacedBy === undefined)
  const lines = [
    `${found.name} ${found.version}${found.description ? `: ${found.description}` : ''}`,
    `  from       ${spec.text} (${spec.type})`,
    `  integrity  ${integrity}`,
    ...(present ? [`  instead of ${present.version} (${present.origin === 'bundled' ? 'comes with aiperf' : present.origin})`] : []),
    '  contributes',
    columns(contributions.map((c) => [c.kind, c.name, describe(c)]), 4).trimEnd(),
    ...(flags.length > 0 ? [`  new flags  ${[...new Set(flags)].join(', ')}`] : []),
    ...(scripts.length > 0 ? [`  scripts    ${scripts.join(', ')} ${runsScripts ? 'run' : 'do not run (--scripts would let them)'}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function flagsOf(properties: NonNullable<NonNullable<IndexedContribution['options']>['properties']>): string[] {
  return Object.values(properties).flatMap((schema) => (schema.flag !== undefined ? [schema.flag] : flagsOf(schema.properties ?? {})))
}

/** What there is now and was not before, and the other way round. */
export function difference(before: PluginIndex, after: PluginIndex): string {
  const rows: string[][] = []
  const old = new Map(before.contributions.map((c) => [`${nameOf(c)} ${c.package}`, c]))
  for (const c of after.contributions) {
    const was = old.get(`${nameOf(c)} ${c.package}`)
    old.delete(`${nameOf(c)} ${c.package}`)
    if (!was) rows.push(['+', nameOf(c), `${c.package} ${c.version}`, c.problem ? `cannot be used: ${c.problem}` : describe(c)])
    else if (was.version !== c.version || was.entry !== c.entry) rows.push(['~', nameOf(c), `${c.package} ${was.version} → ${c.version}`, c.problem ? `cannot be used: ${c.problem}` : describe(c)])
  }
  for (const c of old.values()) rows.push(['-', nameOf(c), `${c.package} ${c.version}`, ''])
  return rows.length === 0 ? 'Nothing changed.\n' : columns(rows)
}
