import { asciiJson } from '../http/response.js'

/** More names than these are not kept, so that a client cannot fill the memory with them. */
const MOST_NAMES = 100
const known = new Map<string, string>()

/** A model's name as JSON. Few names come again and again. */
export function modelJson(model: string): string {
  const json = known.get(model)
  if (json !== undefined) return json
  const made = asciiJson(model)
  if (known.size < MOST_NAMES) known.set(model, made)
  return made
}
