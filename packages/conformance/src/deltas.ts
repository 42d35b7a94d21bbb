import type { Delta } from '@aiperf/core'
import { shown } from './checks.js'

const TEXT = { text: 'string' } as const
/** The fields of each kind of delta: a trailing `?` marks those that may be absent. */
const FIELDS: Readonly<Record<Delta['kind'], Readonly<Record<string, string>>>> = {
  text: TEXT,
  reasoning: TEXT,
  tool: { index: 'number', 'id?': 'string', 'name?': 'string', 'arguments?': 'string' },
  usage: { usage: 'object' },
  finish: { reason: 'string' },
  done: {},
  error: { message: 'string', 'code?': 'number', 'type?': 'string' },
  data: { data: 'string', count: 'number' },
  reply: {},
  field: { name: 'string' },
  malformed: { reason: 'string' },
}

/** What is wrong with something that a decoder returned; undefined when it is a list of deltas. */
export function deltasFault(value: unknown): string | undefined {
  if (!Array.isArray(value)) return `returned ${shown(value)}, expected a list of deltas`
  for (const delta of value as Record<string, unknown>[]) {
    const fields = FIELDS[delta?.['kind'] as Delta['kind']]
    if (!fields) return `returned a delta of kind ${shown(delta?.['kind'])}, which does not exist`
    for (const [name, type] of Object.entries(fields)) {
      const optional = name.endsWith('?')
      const field = delta[optional ? name.slice(0, -1) : name]
      if (optional && field === undefined) continue
      if (typeof field !== type || (type === 'number' && !Number.isFinite(field))) return `returned the delta ${shown(delta)}: ${name.replace('?', '')} must be a ${type}`
    }
    if (delta['kind'] === 'usage')
      for (const [name, count] of Object.entries(delta['usage'] as object))
        if (count !== undefined && (typeof count !== 'number' || !Number.isFinite(count) || count < 0)) return `returned usage with ${name} ${shown(count)}: counts are numbers of at least 0, what was not reported is left out`
  }
  return undefined
}

export const textIn = (deltas: readonly Delta[], kind: 'text' | 'reasoning'): string => deltas.map((d) => (d.kind === kind ? (d as { text: string }).text : '')).join('')
export const toolText = (deltas: readonly Delta[]): string => deltas.map((d) => (d.kind === 'tool' ? (d.name ?? '') + (d.arguments ?? '') : '')).join('')
export const hasTokens = (deltas: readonly Delta[]): boolean => textIn(deltas, 'text') + textIn(deltas, 'reasoning') + toolText(deltas) !== ''
