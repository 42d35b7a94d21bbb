import type { JsonObject } from '../contracts/dataset.js'
import type { Metric } from '../contracts/metric.js'
import type { Kind } from '../kinds.js'
import type { JsonSchema } from '../options/json-schema.js'
import { isNewer, readPackage } from './package-reader.js'

/** Where a package was found: shipped with the program, linked by a developer, or installed by the user. */
export type Origin = 'bundled' | 'linked' | 'installed'

export interface PackageSource {
  /** Folder that holds the package's package.json. */
  directory: string
  origin: Origin
  /** Load the modules of its `bundle/`, which stand for those of `dist/`, when it has one. */
  bundle?: boolean
  /** Why nothing of it may be used, whatever it offers: a rule of the machine or its owner. */
  refused?: string
}

/** What the manifest of a metric contribution says of each metric its module defines. */
export type MetricInfo = Pick<Metric, 'tag' | 'header' | 'unit' | 'displayUnit' | 'kind' | 'gates' | 'largerIsBetter' | 'internal' | 'description'>

export interface IndexedPackage {
  name: string
  version: string
  description: string
  directory: string
  origin: Origin
  /** Number of the plugin contract it was written for. */
  api: number
  /** Why nothing of it can be used. It harms nobody until it is asked for. */
  problem?: string
  /** Set when another copy of the same package is used in its place: says which. */
  replacedBy?: string
}

export interface IndexedContribution {
  kind: Kind
  name: string
  package: string
  version: string
  /** Absolute path of the module. */
  entry: string
  api: number
  meta: JsonObject
  options?: JsonSchema
  metrics?: MetricInfo[]
  /** Whether its module exports a `check` of its options; absent when only loading it could tell. */
  checks?: boolean
  /** Why it cannot be used, said when it is asked for. */
  problem?: string
}

/** Everything the installed packages offer, as plain JSON: read without loading them, postable to a thread. */
export interface PluginIndex {
  packages: IndexedPackage[]
  contributions: IndexedContribution[]
}

/**
 * Reads the manifests of the given packages. A folder that is no AIPerf plugin is passed over; a broken one is listed
 * with its problem. Of two copies of one package (same name) one is used: a linked one, else the newer.
 */
export function buildIndex(sources: readonly PackageSource[]): PluginIndex {
  const index: PluginIndex = { packages: [], contributions: [] }
  const used = new Map<string, { package: IndexedPackage; contributions: IndexedContribution[] }>()
  for (const source of sources) {
    const read = readPackage(source)
    if (!read) continue
    index.packages.push(read.package)
    const other = used.get(read.package.name)
    if (!other) {
      used.set(read.package.name, read)
      continue
    }
    const wins = replaces(read.package, other.package)
    const [winner, loser] = wins ? [read, other] : [other, read]
    loser.package.replacedBy = `${winner.package.version} (${winner.package.origin}, ${winner.package.directory})`
    used.set(read.package.name, winner)
  }
  // Those of the program's own packages come first: nobody takes a flag away from them.
  const own = new Set(index.packages.filter((p) => p.origin === 'bundled').map((p) => p.name))
  const [first, others] = [[...used].filter(([name]) => own.has(name)), [...used].filter(([name]) => !own.has(name))]
  for (const [, { contributions }] of [...first, ...others]) index.contributions.push(...contributions)
  return index
}

function replaces(candidate: IndexedPackage, present: IndexedPackage): boolean {
  if (candidate.problem && !present.problem) return false
  if ((candidate.origin === 'linked') !== (present.origin === 'linked')) return candidate.origin === 'linked'
  return isNewer(candidate.version, present.version)
}
