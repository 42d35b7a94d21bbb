import type { JsonSchema } from './json-schema.js'

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] satisfies JsonSchema['type'][]
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
const isFlag = (value: unknown): boolean => typeof value === 'string' && /^-{1,2}[a-z]/i.test(value)

/** What is wrong with the schema of options that somebody else wrote; undefined when it can be relied on. */
export function schemaFault(schema: unknown, at = 'options'): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return `${at} is no schema`
  const { type, properties, items, anyOf, pattern, flag, aliases } = schema as JsonSchema
  const unknown = [type ?? []].flat().find((name: unknown) => !TYPES.includes(name))
  if (unknown !== undefined) return `${at} has the type ${JSON.stringify(unknown)}; there are ${TYPES.join(', ')}`
  for (const name of [flag, ...(Array.isArray(aliases) ? aliases : [aliases])]) if (name !== undefined && !isFlag(name)) return `${at} has the flag ${JSON.stringify(name)}; a flag begins with - or --`
  if (pattern !== undefined && !isPattern(pattern)) return `${at} has a pattern that is no regular expression`
  if (properties !== undefined && !isObject(properties)) return `${at} has properties that are no mapping`
  if (anyOf !== undefined && !Array.isArray(anyOf)) return `${at} has an anyOf that is no list`
  const below: [string, unknown][] = [
    ...Object.entries(properties ?? {}).map(([key, property]): [string, unknown] => [`${at}.${key}`, property]),
    ...(items === undefined ? [] : [[`${at}[]`, items] as [string, unknown]]),
    ...(anyOf ?? []).map((branch): [string, unknown] => [at, branch]),
  ]
  for (const [place, part] of below) {
    const fault = schemaFault(part, place)
    if (fault !== undefined) return fault
  }
  return undefined
}

function isPattern(pattern: unknown): boolean {
  try {
    new RegExp(String(pattern), 'u')
    return typeof pattern === 'string'
  } catch {
    return false
  }
}
