import type { JsonObject } from '../contracts/dataset.js'
import type { Problem } from '../errors.js'
import { contributionsOf } from '../host/find.js'
import type { IndexedContribution, PluginIndex } from '../host/plugin-index.js'
import { shown } from './given.js'
import { check, withDefaults } from './json-schema.js'

/**
 * Options of a contribution that was not chosen on the command line (a recipe chose it): the given ones, the rest by
 * default, checked.
 */
export function fillOptions(index: PluginIndex, contribution: IndexedContribution, given: JsonObject): { options: JsonObject; problems: Problem[] } {
  const schema = contribution.options
  const kind = contribution.kind.replaceAll('_', ' ')
  if (!schema) {
    const [first] = Object.keys(given)
    return { options: {}, problems: first === undefined ? [] : [unknown(index, contribution, first)] }
  }
  const options = withDefaults(schema, given) as JsonObject
  const problems = check(schema, options).map((issue): Problem => {
    if (issue.unknown) return unknown(index, contribution, issue.unknown.key)
    const name = issue.path.join('.')
    return { flags: [name], message: `${name} of the ${kind} ${contribution.name} ${issue.message}${issue.got === undefined ? '' : `, got ${shown(issue.got)}`}.` }
  })
  return { options, problems }
}

/** An option of another contribution of the kind, by its flag. */
function unknown(index: PluginIndex, { kind, name }: IndexedContribution, key: string): Problem {
  const owner = contributionsOf(index, kind).find((c) => c.options?.properties?.[key])
  const flag = owner?.options!.properties![key]!.flag ?? key
  return { flags: [flag], message: `${flag} is no option of the ${kind.replaceAll('_', ' ')} ${name}${owner ? `, but of ${owner.name}` : ''}.`, hint: owner ? `Drop ${flag}, or choose ${owner.name}.` : `Drop ${flag}.` }
}
