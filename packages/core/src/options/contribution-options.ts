import type { Json, JsonObject } from '../contracts/dataset.js'
import type { Problem } from '../errors.js'
import type { IndexedContribution } from '../host/plugin-index.js'
import { shown } from './given.js'
import { check, withDefaults, type Issue, type JsonSchema } from './json-schema.js'
import { setAt, type OptionTable } from './table.js'

/** A value and the name it was given by, by path below the contribution's place in the model. */
export type PlacedValues = ReadonlyMap<string, { value: Json; name: string }>

/**
 * The options of a contribution: the given values, the rest by default, checked against its own schema. A problem names
 * what the user wrote, or the flag that is missing.
 */
export function completeOptions(table: OptionTable, contribution: IndexedContribution, mount: string, values: PlacedValues, asker?: string): { options: JsonObject; problems: Problem[] } {
  const schema = contribution.options
  if (!schema) return { options: {}, problems: [] }
  const given: JsonObject = {}
  for (const [path, { value }] of values) setAt(given, path, structuredClone(value))
  const options = withDefaults(schema, given) as JsonObject
  const problems = check(schema, options).map((issue) => problem(table, contribution, mount, values, issue, asker))
  return { options, problems }
}

function problem(table: OptionTable, contribution: IndexedContribution, mount: string, values: PlacedValues, issue: Issue, asker: string | undefined): Problem {
  const path = issue.path.join('.')
  const given = [...values.entries()].find(([at]) => at === path || path.startsWith(`${at}.`))?.[1].name
  const kind = contribution.kind.replaceAll('_', ' ')
  if (issue.message === 'is missing' && given === undefined) {
    const entry = table.entries.find((e) => e.path === `${mount}.${path}` && e.owners.some((o) => o.contribution === contribution))
    const name = entry?.names[0] ?? `${mount}.${path}`.replace('.*', '')
    const because = [...values.values()].map((v) => v.name)
    const reason = asker ?? because[0]
    return {
      flags: [name, ...because],
      message: `${name} is missing: the ${kind} ${contribution.name}${reason === undefined ? '' : `, asked for by ${reason},`} needs it.`,
      hint: reason === undefined ? `Give ${name}.` : `Give ${name} too, or drop ${reason}.`,
    }
  }
  const name = given ?? `${mount}.${path}`
  return { flags: [name], message: `${name} ${issue.message}${issue.got === undefined ? '' : `, got ${shown(issue.got, leaf(contribution.options!, issue.path))}`}.` }
}

function leaf(schema: JsonSchema, path: readonly (string | number)[]): JsonSchema {
  let at = schema
  for (const key of path) at = at.properties?.[key] ?? (typeof at.items === 'object' ? at.items : {})
  return at
}
