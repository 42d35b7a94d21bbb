import type { JsonObject, PlotMeta } from '@aiperf/core'
import { contributionsOf, type IndexedContribution, type PluginIndex } from '@aiperf/core/host'

/** A plot that can be asked for by name. */
export interface CatalogEntry {
  name: string
  title: string
  description: string
  scope: PlotMeta['scope']
  /** Drawn when no plot is named, for one run and for several. */
  defaultFor: { run: boolean; runs: boolean }
  contribution: IndexedContribution
  /** Options besides the contribution's defaults. */
  options: JsonObject
}

/** The plots of the installed packages: those whose kind needs no further options. */
export function catalogOf(index: PluginIndex): { named: CatalogEntry[]; kinds: CatalogEntry[] } {
  const entries = contributionsOf(index, 'plot').map((contribution): CatalogEntry & { complete: boolean } => {
    const meta = contribution.meta as unknown as Partial<PlotMeta>
    const scope = meta.scope ?? 'any'
    const usual = meta.default === true
    return {
      name: contribution.name,
      title: meta.title ?? contribution.name,
      description: meta.description ?? '',
      scope,
      defaultFor: { run: usual && scope !== 'runs', runs: usual && scope !== 'run' },
      contribution,
      options: meta.options ?? {},
      complete: meta.options !== undefined || (contribution.options?.required ?? []).every((key) => contribution.options?.properties?.[key]?.default !== undefined),
    }
  })
  return { named: entries.filter((entry) => entry.complete), kinds: entries.filter((entry) => !entry.complete || Object.keys(entry.options).length === 0) }
}
