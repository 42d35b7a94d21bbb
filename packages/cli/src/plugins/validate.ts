import type { Kind } from '@aiperf/core'
import { contributionsOf, createHost, find, type IndexedContribution, type PluginIndex } from '@aiperf/core/host'

export interface Validated {
  package: string
  kind: Kind
  name: string
  /** Why it does not keep its contract. */
  problem?: string
}

/** Imports contributions and checks that each is of its kind and written for this version of the contract. */
export async function validate(index: PluginIndex, kind: Kind | undefined, name: string | undefined): Promise<Validated[]> {
  const wanted: IndexedContribution[] = kind === undefined ? index.contributions : name === undefined ? contributionsOf(index, kind) : [find(index, kind, name)]
  const host = createHost(index)
  const report: Validated[] = index.packages.filter((p) => p.problem && kind === undefined).map((p) => ({ package: p.name, kind: 'package' as Kind, name: p.version, problem: p.problem! }))
  for (const c of wanted) {
    const row: Validated = { package: c.package, kind: c.kind, name: c.name }
    try {
      await host.load(c.kind, `${c.package}:${c.name}`)
    } catch (error) {
      row.problem = (error as Error).message
    }
    report.push(row)
  }
  return report
}
