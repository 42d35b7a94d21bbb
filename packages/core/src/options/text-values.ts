import type { Json, JsonObject } from '../contracts/dataset.js'
import { isJsonObject } from '../json.js'
import { secondsOf } from './durations.js'
import { enumSpelling, expectation, type JsonSchema } from './json-schema.js'

/** A text that could not be read as its schema wants, with the sentence that says so. */
interface Unreadable {
  /** Goes after the flag's name: `must be a whole number, got "five"`. */
  message: string
}
export type Reading = { value: Json } | Unreadable

const TRUE = new Set(['true', 'yes', 'on', '1'])
const FALSE = new Set(['false', 'no', 'off', '0'])
const quoted = (text: string): string => JSON.stringify(text)

/** Reads the text of a flag, a variable or a config scalar as a value of the schema. Bounds are checked elsewhere. */
export function readText(schema: JsonSchema, text: string): Reading {
  switch (schema.text) {
    case 'pairs':
      return readPairs(text)
    case 'headers':
      return readHeader(text)
    case 'numbers':
      return readNumbers(text)
  }
  if (schema.anyOf) {
    for (const branch of schema.anyOf) {
      const read = readText(schema.duration ? { ...branch, duration: true } : branch, text)
      if ('value' in read && branch.type !== 'string') return read
      if ('value' in read && (branch.const === undefined || branch.const === read.value)) return read
    }
    return { message: `${expectation(schema)}, got ${quoted(text)}` }
  }
  if (schema.enum) return { value: enumSpelling(schema, text) }
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const number = schema.duration ? (secondsOf(text) ?? plainNumber(text)) : plainNumber(text)
      return number === undefined ? { message: `${expectation(schema)}, got ${quoted(text)}` } : { value: number }
    }
    case 'boolean': {
      const word = text.trim().toLowerCase()
      if (TRUE.has(word)) return { value: true }
      if (FALSE.has(word)) return { value: false }
      return { message: `must be true or false, got ${quoted(text)}` }
    }
    case 'null':
      return /^(null|none)$/i.test(text.trim()) ? { value: null } : { message: `must be null, got ${quoted(text)}` }
    case 'array':
      return readList(schema, text)
    case 'object':
      return readMapping(schema, text)
    case 'string':
      return { value: text }
    default:
      return { value: typed(text) }
  }
}

function plainNumber(text: string): number | undefined {
  const trimmed = text.trim()
  return /^[+-]?(\d+(_\d+)*\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed.replaceAll('_', '')) : undefined
}

/** One occurrence of a list flag: one item, or several where commas separate. */
function readList(schema: JsonSchema, text: string): Reading {
  const item = typeof schema.items === 'object' ? schema.items : {}
  const parts = schema.comma === 'list' ? text.split(',').map((part) => part.trim()).filter((part) => part !== '') : [text]
  if (text.trim().startsWith('[')) {
    const json = parse(text)
    if (Array.isArray(json)) return { value: json }
  }
  const values: Json[] = []
  for (const part of parts) {
    const read = readText(item, part)
    if (!('value' in read)) return read
    values.push(read.value)
  }
  return { value: values }
}

function readMapping(schema: JsonSchema, text: string): Reading {
  const json = parse(text)
  if (isJsonObject(json)) return { value: json }
  const inner = schema.shorthand === undefined ? undefined : schema.properties?.[schema.shorthand]
  if (inner) {
    const read = readText(inner, text)
    return 'value' in read ? { value: { [schema.shorthand!]: read.value } } : read
  }
  return { message: `must be a JSON object, got ${quoted(text)}` }
}

/** `key:value` pairs separated by commas or spaces, or one JSON object. Values are read as JSON where they are JSON. */
function readPairs(text: string): Reading {
  if (text.trim().startsWith('{')) {
    const json = parse(text)
    return isJsonObject(json) ? { value: json } : { message: `begins like a JSON object but is none: ${quoted(text)}` }
  }
  const pairs: JsonObject = {}
  for (const part of splitOutsideBrackets(text)) {
    const colon = part.indexOf(':')
    if (colon < 1) return { message: `must be key:value pairs or a JSON object, got ${quoted(part)}` }
    pairs[part.slice(0, colon).trim()] = typed(part.slice(colon + 1).trim())
  }
  return { value: pairs }
}

/** One `Name: value`, or a JSON object of several; the value may hold commas, colons and spaces. */
function readHeader(text: string): Reading {
  if (text.trim().startsWith('{')) {
    const json = parse(text)
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return { message: 'begins like a JSON object but is none' }
    return { value: Object.entries(json).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]) }
  }
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trim()
  if (colon < 1 || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return { message: 'must be Name:Value with a header name before the colon' }
  const value = text.slice(colon + 1).trim()
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(value)) return { message: `has a line break or another control character in the value of ${name}` }
  return { value: [[name, value]] }
}

/** `tag:number` pairs separated by spaces or commas. */
function readNumbers(text: string): Reading {
  const numbers: JsonObject = {}
  for (const part of text.split(/[\s,]+/).filter((p) => p !== '')) {
    const colon = part.lastIndexOf(':')
    const value = colon < 1 ? undefined : plainNumber(part.slice(colon + 1))
    if (value === undefined) return { message: `must be KEY:NUMBER pairs such as time_to_first_token:300; ${quoted(part)} ${colon < 1 ? 'has no value' : 'has no number after the colon'}` }
    const key = part.slice(0, colon)
    if (value < 0) return { message: `must have numbers of 0 or more, got ${quoted(part)}` }
    if (key in numbers) return { message: `gives ${key} twice` }
    numbers[key] = value
  }
  return Object.keys(numbers).length === 0 ? { message: 'must name at least one KEY:NUMBER pair, got nothing' } : { value: numbers }
}

function splitOutsideBrackets(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = false
  let from = 0
  for (let i = 0; i <= text.length; i++) {
    const c = text[i]
    if (c === '"' && text[i - 1] !== '\\') quote = !quote
    else if (!quote && (c === '[' || c === '{')) depth++
    else if (!quote && (c === ']' || c === '}')) depth--
    if (c === undefined || (!quote && depth === 0 && (c === ',' || c === ' '))) {
      if (i > from) parts.push(text.slice(from, i))
      from = i + 1
    }
  }
  return parts
}

/** The JSON value a text spells, else the text itself; Python's spellings of true, false and none count. */
export function typed(text: string): Json {
  const word = text.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  if (word === 'none' || word === 'null') return null
  const json = parse(text)
  return json === undefined ? text : json
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
