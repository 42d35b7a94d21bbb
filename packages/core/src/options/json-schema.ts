import type { Json, JsonObject } from '../contracts/dataset.js'
import type { OptionMeta } from '../contracts/define.js'
import { plain } from '../host/nearest.js'
import { isJsonObject } from '../json.js'

/** The part of JSON Schema (2020-12) that option schemas use, with the keys of `OptionMeta` beside it. */
export interface JsonSchema extends OptionMeta {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  properties?: { [key: string]: JsonSchema }
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema | boolean
  prefixItems?: JsonSchema[]
  minItems?: number
  maxItems?: number
  enum?: Json[]
  const?: Json
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  anyOf?: JsonSchema[]
  default?: Json
  title?: string
}

/** One thing wrong with a value. `path` leads from the checked value to the part that is wrong. */
export interface Issue {
  path: (string | number)[]
  /** What was expected, beginning with `must …` or `is …`. */
  message: string
  got?: Json
  /** The key is not known; `known` are its siblings. */
  unknown?: { key: string; known: string[] }
}

/** `must be a whole number of at least 1`: what a schema expects, in words. */
export function expectation(schema: JsonSchema): string {
  return `must be ${phrase(schema)}`
}

function phrase(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`
  if (schema.anyOf) {
    const parts = schema.anyOf.filter((s) => s.type !== 'null').map(phrase)
    return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}` : (parts[0] ?? 'null')
  }
  switch (schema.type) {
    case 'integer':
      return `a whole number${bounds(schema)}`
    case 'number':
      return `a number${schema.duration ? ' of seconds' : ''}${bounds(schema)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return schema.pattern ? `text like ${schema.value ?? schema.pattern}` : schema.minLength ? 'text that is not empty' : 'text'
    case 'array':
      return typeof schema.items === 'object' ? `a list; each item ${phrase(schema.items)}` : 'a list'
    case 'object':
      return 'a mapping of names to values'
    case 'null':
      return 'null'
    default:
      return 'a value'
  }
}

/** zod writes the range of exact integers as bounds; nobody means those. */
const stated = (bound: number | undefined): bound is number => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER

function bounds(schema: JsonSchema): string {
  const parts: string[] = []
  if (stated(schema.minimum)) parts.push(`at least ${schema.minimum}`)
  if (stated(schema.exclusiveMinimum)) parts.push(`more than ${schema.exclusiveMinimum}`)
  if (stated(schema.maximum)) parts.push(`at most ${schema.maximum}`)
  if (stated(schema.exclusiveMaximum)) parts.push(`less than ${schema.exclusiveMaximum}`)
  return parts.length === 0 ? '' : ` of ${parts.join(' and ')}`
}

/** The spelling an enumeration uses for a value that differs only in case, `-` and `_`. */
export function enumSpelling(schema: JsonSchema, value: Json): Json {
  if (typeof value !== 'string' || !schema.enum) return value
  return schema.enum.find((choice) => typeof choice === 'string' && plain(choice) === plain(value)) ?? value
}

/** Checks a value against a schema; every fault is listed. */
export function check(schema: JsonSchema, value: Json | undefined, path: (string | number)[] = []): Issue[] {
  const wrong = (message = expectation(schema)): Issue[] => [value === undefined ? { path, message } : { path, message, got: value }]
  if (value === undefined) return wrong('is missing')
  if (schema.anyOf) {
    const tried = schema.anyOf.map((branch) => check(branch, value, path))
    if (tried.some((issues) => issues.length === 0)) return []
    // A mapping that fails deep inside says more than "matches none of these".
    const deep = isJsonObject(value) || Array.isArray(value) ? tried.find((issues, i) => schema.anyOf![i]!.type === (Array.isArray(value) ? 'array' : 'object') && issues.length > 0) : undefined
    return deep ?? wrong()
  }
  if (schema.const !== undefined) return value === schema.const ? [] : wrong()
  if (schema.enum) return schema.enum.includes(value) ? [] : wrong()
  switch (schema.type) {
    case 'object':
      return isJsonObject(value) ? checkObject(schema, value, path) : wrong()
    case 'array':
      return Array.isArray(value) ? checkArray(schema, value, path) : wrong()
    case 'integer':
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && (schema.type === 'number' || Number.isInteger(value)) && within(schema, value) ? [] : wrong()
    case 'string':
      return typeof value === 'string' && value.length >= (schema.minLength ?? 0) && value.length <= (schema.maxLength ?? Infinity) && (!schema.pattern || new RegExp(schema.pattern, 'u').test(value)) ? [] : wrong()
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong()
    case 'null':
      return value === null ? [] : wrong()
    default:
      return []
  }
}

function within(schema: JsonSchema, value: number): boolean {
  return (
    value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity) &&
    value > (schema.exclusiveMinimum ?? -Infinity) && value < (schema.exclusiveMaximum ?? Infinity)
  )
}

function checkObject(schema: JsonSchema, value: JsonObject, path: (string | number)[]): Issue[] {
  const issues: Issue[] = []
  const known = schema.properties ?? {}
  for (const key of schema.required ?? [])
    if (value[key] === undefined && known[key]?.default === undefined) issues.push({ path: [...path, key], message: 'is missing' })
  for (const [key, item] of Object.entries(value)) {
    const property = known[key]
    if (property) issues.push(...check(property, item, [...path, key]))
    else if (schema.additionalProperties === false) issues.push({ path: [...path, key], message: 'is not known here', unknown: { key, known: Object.keys(known) } })
    else if (typeof schema.additionalProperties === 'object') issues.push(...check(schema.additionalProperties, item, [...path, key]))
  }
  return issues
}

function checkArray(schema: JsonSchema, value: Json[], path: (string | number)[]): Issue[] {
  if (value.length < (schema.minItems ?? 0)) return [{ path, message: `needs at least ${schema.minItems} value${schema.minItems === 1 ? '' : 's'}`, got: value }]
  if (value.length > (schema.maxItems ?? Infinity)) return [{ path, message: `takes at most ${schema.maxItems} values`, got: value }]
  return value.flatMap((item, i) => {
    const rule = schema.prefixItems?.[i] ?? schema.items
    return typeof rule === 'object' ? check(rule, item, [...path, i]) : []
  })
}

/**
 * A copy of a value with the schema's defaults filled in, all the way down. A group of options that is not optional is
 * there even when nobody mentioned it; an optional one without a default is not.
 */
export function withDefaults(schema: JsonSchema, value: Json | undefined): Json | undefined {
  const given = value === undefined ? schema.default : value
  if (schema.type !== 'object' || !schema.properties || (given !== undefined && !isJsonObject(given))) return given === undefined ? undefined : structuredClone(given)
  if (given === undefined) return undefined
  const filled: JsonObject = { ...given }
  for (const [key, property] of Object.entries(schema.properties)) {
    const needed = schema.required?.includes(key) && property.type === 'object' && property.properties ? {} : undefined
    const item = withDefaults(property, filled[key] ?? property.default ?? needed)
    if (item !== undefined) filled[key] = item
  }
  return filled
}
