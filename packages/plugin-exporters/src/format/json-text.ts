/** What `jsonText` writes. A bigint becomes plain digits: 19-digit times do not fit a double. */
export type JsonValue = null | boolean | number | bigint | string | undefined | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/**
 * JSON text with two-space indent, as `JSON.stringify`, but with bigints as digits and without what is no JSON: a
 * member that is undefined, NaN or infinite is left out; as an item of a list it is `null`.
 */
export function jsonText(value: JsonValue, indent = 2): string {
  return write(value, indent, '\n') ?? 'null'
}

function write(value: JsonValue, indent: number, newline: string): string | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : undefined
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? writeList(value, indent, newline) : writeObject(value as { [key: string]: JsonValue }, indent, newline)
    default:
      return undefined
  }
}

function writeList(list: readonly JsonValue[], indent: number, newline: string): string {
  if (list.length === 0) return '[]'
  const inner = newline + ' '.repeat(indent)
  return `[${inner}${list.map((item) => write(item, indent, inner) ?? 'null').join(`,${inner}`)}${newline}]`
}

function writeObject(object: { readonly [key: string]: JsonValue }, indent: number, newline: string): string {
  const inner = newline + ' '.repeat(indent)
  const members: string[] = []
  for (const [key, value] of Object.entries(object)) {
    const text = write(value, indent, inner)
    if (text !== undefined) members.push(`${JSON.stringify(key)}: ${text}`)
  }
  return members.length === 0 ? '{}' : `{${inner}${members.join(`,${inner}`)}${newline}}`
}
