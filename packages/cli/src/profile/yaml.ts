import { ConfigurationError, type JsonObject, type Problem } from '@aiperf/core'
import type { ConfigFile } from '@aiperf/core/options'
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml'

const MAX_DEPTH = 256

/**
 * Reads YAML (JSON is YAML) strictly: duplicate keys, keys that are no text, several documents, an empty file, cycles and
 * absurd depth are problems, each with its line.
 */
export function readYaml(text: string, name: string): ConfigFile {
  const lines = new LineCounter()
  const document = parseDocument(text.replace(/^\uFEFF/, ''), { lineCounter: lines, uniqueKeys: true, stringKeys: true, prettyErrors: false })
  if (document.errors.length > 0)
    throw new ConfigurationError(document.errors.map((error): Problem => ({ flags: [name], message: `${name}:${lines.linePos(error.pos[0]).line} ${wording(error.code, error.message)}.` })))
  const content = plainValue(document, name)
  if (content === null || content === undefined) throw new ConfigurationError([{ flags: [name], message: `${name} is empty.`, hint: 'A config file holds a benchmark mapping; aiperf config schema describes it.' }])
  if (typeof content !== 'object' || Array.isArray(content)) throw new ConfigurationError([{ flags: [name], message: `${name} must hold a mapping of options, it holds ${Array.isArray(content) ? 'a list' : 'a single value'}.` }])
  return { name, content: content as JsonObject, lineOf: (path) => lineOf(document.contents as Node | null, path, lines) }
}

function wording(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'holds a key twice in one mapping'
  if (code === 'NON_STRING_KEY') return 'has a key that is no text'
  return `is no YAML: ${message}`
}

function plainValue(document: ReturnType<typeof parseDocument>, name: string): unknown {
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 1000 }) as unknown
    if (deeperThan(value, MAX_DEPTH)) throw new RangeError(`it is nested more than ${MAX_DEPTH} deep, or refers to itself`)
    return value
  } catch (error) {
    throw new ConfigurationError([{ flags: [name], message: `${name} cannot be used: ${(error as Error).message}.` }])
  }
}

function deeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((item) => deeperThan(item, depth - 1))
}

function lineOf(root: Node | null, path: readonly string[], lines: LineCounter): number | undefined {
  let node: unknown = root
  let offset = root?.range?.[0]
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
      if (!pair) break
      offset = (pair.key as Node).range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(key)]
      offset = (node as Node | undefined)?.range?.[0] ?? offset
    } else break
  }
  return offset === undefined ? undefined : lines.linePos(offset).line
}
