import type { JsonObject } from '@aiperf/core'
import type { FormPart } from './multipart.js'

/** Fields of a form in the order given, later layers over earlier ones; names in `reserved` are left out of those. */
export function formFields(own: JsonObject, layers: readonly (JsonObject | undefined)[], reserved: readonly string[] = []): FormPart[] {
  const fields: JsonObject = { ...own }
  for (const layer of layers) for (const [name, value] of Object.entries(layer ?? {})) if (!reserved.includes(name)) fields[name] = value
  return Object.entries(fields).map(([name, value]) => ({ name, value }))
}
