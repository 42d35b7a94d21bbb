import { AskError } from './ask.js'
import type { Fields } from './fields.js'

/** The texts of a list that must have at least one; an item is text or an object with `text`. */
export function passagesOf(fields: Fields, name: string): string[] {
  const items = fields.required(name)
  if (!Array.isArray(items) || items.length === 0) throw new AskError(`${name}: must be a list with at least one item`)
  return items.map((item: unknown) => textOf(item) ?? refuse(`${name}: each item must be text or an object with text`))
}

/** Text, or an object with `text`. */
export function queryOf(fields: Fields): string {
  return textOf(fields.required('query')) ?? refuse('query: must be text or an object with text')
}

function textOf(item: unknown): string | undefined {
  const text = typeof item === 'object' && item !== null ? (item as { text?: unknown }).text : item
  return typeof text === 'string' ? text : undefined
}

function refuse(message: string): never {
  throw new AskError(message)
}
