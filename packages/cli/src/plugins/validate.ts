import type { Kind } from '@aiperf/core'
import { contributionsOf, find, type PluginIndex } from '@aiperf/core/host'
import { remedy } from './remedy.js'

export interface Validated {
  package: string
  kind: Kind
  name: string
  /** Why it does not keep its contract. */
  problem?: string
  /** What to do about it. */
  fix?: string
}

/** Time that importing or creating one contribution may take, ms. */
const LIMIT_MS = 10_000
/** Packages that are tried at the same time, each in a process of its own. */
const AT_ONCE = 2

/**
 * Loads, creates and ends contributions, each package in a process of its own, and says which throw, hang, leave something
 * running, make a wrong shape, or were written for another version of the contract.
 */
export async function validate(index: PluginIndex, kind: Kind | undefined, name: string | undefined): Promise<Validated[]> {
  const { probePackage } = await import('@aiperf/conformance/probe')
  const only = kind !== undefined && name !== undefined ? find(index, kind, name) : undefined
  const wanted = index.packages.filter((p) => p.replacedBy === undefined && (only ? p.name === only.package : kind === undefined || contributionsOf(index, kind).some((c) => c.package === p.name)))
  const reports = new Map<string, Validated[]>()
  const queue = [...wanted]
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { name: owner, version, directory, problem } = next
      if (problem) {
        reports.set(owner, [{ package: owner, kind: 'package' as Kind, name: version, problem, fix: remedy(next) }])
        continue
      }
      const broken = index.contributions.filter((c) => c.package === owner && c.problem && (kind === undefined || c.kind === kind) && (only === undefined || c.name === only.name))
      const tried = await probePackage(directory, { limitMs: Number(process.env['AIPERF_PLUGIN_TIMEOUT']) * 1000 || LIMIT_MS, ...(kind === undefined ? {} : { kind }), ...(only === undefined ? {} : { name: only.name }) }).catch((error: Error) => [{ kind: 'package' as Kind, name: version, problem: error.message, fault: 'crash' as const }])
      reports.set(owner, tried.map((row) => {
        const found = row.problem ?? broken.find((c) => c.kind === row.kind && c.name === row.name)?.problem
        return { package: owner, kind: row.kind, name: row.name, ...(found === undefined ? {} : { problem: found, fix: remedy(next!, row.fault) }) }
      }))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return wanted.flatMap((p) => reports.get(p.name) ?? [])
}
