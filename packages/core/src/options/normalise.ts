import { readFileSync } from 'node:fs'
import type { Json, JsonObject } from '../contracts/dataset.js'
import { didYouMean } from '../host/nearest.js'
import { isJsonObject } from '../json.js'
import { enumSpelling, type JsonSchema } from './json-schema.js'
import { readText, typed } from './text-values.js'

/** What is wrong with a value of a config file, and where in the value. */
export interface Fault {
  path: string[]
  message: string
  hint?: string
}
export type Variables = Readonly<Record<string, string | undefined>>

/** Keys that say the same thing: `grace_period`, `gracePeriod`, `grace-period`. */
export const keyForm = (key: string): string => key.replaceAll(/[-_]/g, '').toLowerCase()

/**
 * Brings a value of a config file into the form its schema wants: keys in camel case, shorthands spelled out, `${NAME}`
 * replaced, texts read as numbers and durations, one item where a list is wanted made a list. Faults are added to `faults`.
 */
export function normalise(schema: JsonSchema, value: Json, env: Variables, faults: Fault[], path: string[] = []): Json {
  const short = schema.shorthand === undefined || schema.file ? undefined : schema.properties?.[schema.shorthand]
  if (short && !isJsonObject(value)) return { [schema.shorthand!]: normalise(short, value, env, faults, path) }
  if (typeof value === 'string') return fromString(schema, value, env, faults, path)
  if (schema.text === 'headers' && isJsonObject(value))
    return Object.entries(value).map(([name, item]) => [name, String(typeof item === 'string' ? substituted(item, env, faults, [...path, name]).text : item)])
  const branch = schema.anyOf?.find((s) => s.type === (Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : undefined))
  const rule = branch ?? schema
  if (rule.type === 'array' && !Array.isArray(value) && value !== null) return [normalise(itemsOf(rule), value, env, faults, path)]
  if (Array.isArray(value)) {
    return value.map((item, i) => normalise(rule.prefixItems?.[i] ?? itemsOf(rule), item, env, faults, [...path, String(i)]))
  }
  return isJsonObject(value) ? mapping(rule, value, env, faults, path) : value
}

function mapping(schema: JsonSchema, value: JsonObject, env: Variables, faults: Fault[], path: string[]): JsonObject {
  const keys = new Map(Object.keys(schema.properties ?? {}).map((key) => [keyForm(key), key]))
  const result: JsonObject = {}
  for (const [key, item] of Object.entries(value)) {
    const known = keys.get(keyForm(key))
    const place = [...path, key]
    if (known === undefined && schema.properties && schema.additionalProperties === false)
      faults.push({ path: place, message: 'is not known here', hint: didYouMean(key, keys.values()) || `Known: ${[...keys.values()].join(', ')}.` })
    else if (known !== undefined && known in result) faults.push({ path: place, message: `says the same as another spelling of ${known}` })
    else result[known ?? key] = normalise(known === undefined ? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}) : schema.properties![known]!, item, env, faults, place)
  }
  return result
}

function fromString(schema: JsonSchema, value: string, env: Variables, faults: Fault[], path: string[]): Json {
  const { text, whole } = substituted(value, env, faults, path)
  if (schema.file === 'json') {
    const content = readJsonFile(text)
    if (content instanceof Error) {
      faults.push({ path, message: content.message })
      return null
    }
    return normalise({ ...schema, file: undefined } as unknown as JsonSchema, content, env, faults, path)
  }
  if (schema.type === 'string' || schema.enum) return enumSpelling(schema, text)
  if (Object.keys(schema).length === 0) return whole ? typed(text) : text
  const read = readText(schema, text)
  if ('value' in read) return read.value
  faults.push({ path, message: read.message })
  return null
}

/** `${NAME}` and `${NAME:default}`; `$${` is a plain `${`. `whole`: the text is one reference and nothing else. */
export function substituted(text: string, env: Variables, faults: Fault[], path: string[]): { text: string; whole: boolean } {
  if (!text.includes('${')) return { text, whole: false }
  const result = text.replaceAll(/(\$)?\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?\}/g, (found, escaped: string | undefined, name: string, otherwise: string | undefined) => {
    if (escaped) return found.slice(1)
    const value = env[name] ?? otherwise
    if (value === undefined) faults.push({ path, message: `refers to the environment variable ${name}, which is not set`, hint: `Set it, or write \${${name}:default}.` })
    return value ?? ''
  })
  return { text: result, whole: /^\$\{[^}]*\}$/.test(text) }
}

/** The content of a JSON file; an `Error` with a sentence when there is none. */
export function readJsonFile(path: string): Json | Error {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return new Error(`names the file ${path}, which ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : `cannot be read (${(error as Error).message})`}`)
  }
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    return new Error(`names the file ${path}, which is not JSON: ${(error as Error).message}`)
  }
}

const itemsOf = (schema: JsonSchema): JsonSchema => (typeof schema.items === 'object' ? schema.items : {})
