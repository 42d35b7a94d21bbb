import { AiperfError, type ErrorCode, type Problem } from '../errors.js'
import type { Kind } from '../kinds.js'
import { didYouMean, either, plain } from './nearest.js'
import type { IndexedContribution, PluginIndex } from './plugin-index.js'

const bare = (name: string): string => plain(name).replaceAll('_', '')
const words = (kind: Kind): string => kind.replaceAll('_', ' ')

/** Every usable or broken contribution of a kind, in the order of the packages. */
export function contributionsOf(index: PluginIndex, kind: Kind): IndexedContribution[] {
  return index.contributions.filter((c) => c.kind === kind)
}

/**
 * Finds a contribution by the name a person gave: any case, `-` and `_` alike (and left out, where that is no other name: the
 * reference has `gsm8-k` for `gsm8k` on its command line), or `package:name` to choose between packages. Otherwise the problem that keeps it from being used.
 */
export function lookUp(index: PluginIndex, kind: Kind, name: string): { contribution: IndexedContribution } | { problem: Problem & { code: ErrorCode } } {
  const all = contributionsOf(index, kind)
  const colon = name.lastIndexOf(':')
  const owner = colon > 0 ? name.slice(0, colon) : undefined
  const own = owner === undefined ? name : name.slice(colon + 1)
  const spelt = (spelling: (text: string) => string) => all.filter((c) => spelling(c.name) === spelling(own) && (owner === undefined || c.package === owner))
  const exact = spelt(plain)
  const matches = exact.length > 0 ? exact : spelt(bare)
  const [first] = matches
  if (matches.length > 1) {
    const choices = matches.map((c) => `${c.package}:${c.name}`)
    return problem('E_PLUGIN_AMBIGUOUS', `${matches.map((c) => c.package).join(' and ')} both offer the ${words(kind)} "${name}".`, `Choose with ${either(choices)}.`)
  }
  if (!first) {
    const names = [...new Set(all.map((c) => c.name))].sort()
    const hint = didYouMean(name, names) || (names.length === 0 ? 'No installed package offers any.' : `Installed: ${names.slice(0, 30).join(', ')}.`)
    return problem('E_PLUGIN_UNKNOWN', `There is no ${words(kind)} "${name}".`, hint)
  }
  if (first.problem) return problem('E_PLUGIN_LOAD', `The ${words(kind)} "${first.name}" of ${first.package} ${first.version} cannot be used: ${first.problem}.`, `Repair or remove ${first.package}; "aiperf plugins doctor ${first.package}" says how.`)
  return { contribution: first }
}

/** As `lookUp`; the problem is thrown as an `AiperfError`. */
export function find(index: PluginIndex, kind: Kind, name: string): IndexedContribution {
  const found = lookUp(index, kind, name)
  if ('contribution' in found) return found.contribution
  const { code, message, hint } = found.problem
  throw new AiperfError(code, message, hint === undefined ? {} : { hint })
}

function problem(code: ErrorCode, message: string, hint: string): { problem: Problem & { code: ErrorCode } } {
  return { problem: { code, flags: [], message, hint } }
}
