import type { JsonObject } from '../contracts/dataset.js'
import { contributionsOf } from '../host/find.js'
import { namesFor } from './selection.js'
import type { PluginIndex } from '../host/plugin-index.js'
import type { JsonSchema } from './json-schema.js'
import { coreSchemas } from './core-schemas.js'
import { mountOf } from './table.js'

/** Keys of `OptionMeta` that are none of JSON Schema's. */
const OURS = new Set(['flag', 'aliases', 'warmupFlag', 'warmupAliases', 'paths', 'env', 'group', 'comma', 'single', 'text', 'shorthand', 'duration', 'file', 'contribution', 'where', 'secret', 'hidden', 'value'])

/**
 * JSON Schema of a config file: core's options and those of every installed package. An editor completes and checks by
 * it; the program itself goes on to check what a schema cannot say.
 */
export function configSchema(index: PluginIndex): JsonObject {
  const core = structuredClone(coreSchemas())
  const body = core.body
  body.properties!['phases'] = { type: 'array', items: core.phase, minItems: 1, description: 'Load phases, in order' }
  for (const contribution of index.contributions) {
    const mount = mountOf(contribution)
    if (mount === undefined || !contribution.options) continue
    let at = mount.startsWith('^') ? core.envelope : body
    for (const key of mount.replace('^', '').split('.')) {
      if (key === '*') at = at.items as JsonSchema
      else at = (at.properties ??= {})[key] ??= { type: 'object', properties: {}, additionalProperties: false }
    }
    mergeInto(at, structuredClone(contribution.options))
  }
  const phaseTypes = contributionsOf(index, 'timing_mode').flatMap((mode) => [mode.name, ...Object.keys((mode.meta['types'] as JsonObject | undefined) ?? {})])
  if (phaseTypes.length > 0) core.phase.properties!['type']!.enum = phaseTypes
  core.phase.required = ['name']
  const envelope: JsonSchema = {
    type: 'object',
    properties: { ...core.envelope.properties, benchmark: body },
    required: ['benchmark'],
    additionalProperties: false,
  }
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'AIPerf config file', ...(plainSchema(envelope, index) as JsonObject) }
}

function mergeInto(target: JsonSchema, source: JsonSchema): void {
  target.properties ??= {}
  for (const [key, property] of Object.entries(source.properties ?? {})) {
    const present = target.properties[key]
    // A key that several contributions have is required by none of them for all.
    if (present?.properties && property.properties) mergeInto(present, property)
    else target.properties[key] ??= property
  }
  delete target.required
}

/** Plain JSON Schema: names of contributions as choices, durations and shorthands as the alternatives they are. */
function plainSchema(schema: JsonSchema, index: PluginIndex): JsonSchema {
  const plain: { [key: string]: unknown } = {}
  for (const [key, value] of Object.entries(schema)) if (!OURS.has(key)) plain[key] = value
  const result = plain as JsonSchema
  if (schema.contribution && !schema.enum) result.enum = namesFor(schema, index)
  if (schema.properties) {
    result.properties = Object.fromEntries(Object.entries(schema.properties).map(([key, property]) => [key, plainSchema(property, index)]))
    // What has a default need not be written.
    const required = schema.required?.filter((key) => schema.properties![key]?.default === undefined)
    if (required?.length) result.required = required
    else delete result.required
  }
  if (typeof schema.items === 'object') result.items = plainSchema(schema.items, index)
  if (schema.anyOf) result.anyOf = schema.anyOf.map((branch) => plainSchema(branch, index))
  if (schema.prefixItems) result.prefixItems = schema.prefixItems.map((item) => plainSchema(item, index))
  if (schema.text === 'headers') return { ...described(schema), anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, withoutDescription(result)] }
  if (schema.duration) return { ...described(schema), anyOf: [withoutDescription(result), { type: 'string', pattern: '^\\s*(\\d+(\\.\\d+)?\\s*(ms|s|sec|m|min|h|d)?\\s*)+$' }] }
  const short = schema.shorthand === undefined ? undefined : schema.properties?.[schema.shorthand]
  if (short) return { ...described(schema), anyOf: [withoutDescription(result), plainSchema(short, index)] }
  return result
}

const described = (schema: JsonSchema): JsonSchema => ({
  ...(schema.description === undefined ? {} : { description: schema.description }),
  ...(schema.default === undefined ? {} : { default: schema.default }),
})
function withoutDescription(schema: JsonSchema): JsonSchema {
  const { description: _description, default: _default, ...rest } = schema
  return rest
}
