import { isJsonObject, type Json, type JsonObject } from '@aiperf/core'

export type Facts = Record<string, string | number | boolean>

/** Names under which plots know options of phases. */
const PHASE_FACTS: Record<string, string> = { concurrency: 'concurrency', prefillConcurrency: 'prefill_concurrency', prefill_concurrency: 'prefill_concurrency', rate: 'request_rate', users: 'users', requests: 'request_count' }
/** Last segments of sweep paths that another word is used for everywhere. */
const RENAMED: Record<string, string> = { rate: 'request_rate', requests: 'request_count' }

/** Load of the first profiling phase: its concurrency, rate or users. */
export function loadFacts(phases: Json | undefined): Facts {
  const facts: Facts = {}
  const phase = list(phases).find((p) => (p['kind'] ?? 'profiling') === 'profiling')
  if (!phase) return facts
  for (const holder of [phase, object(phase['options'])])
    for (const [key, name] of Object.entries(PHASE_FACTS)) {
      const value = holder[key]
      if (typeof value === 'number') facts[name] = value
    }
  return facts
}

/** What a sweep varied, by the last segments of its paths; a whole path where two end alike. */
export function sweepFacts(values: JsonObject): Facts {
  const facts: Facts = {}
  const leaf = (path: string): string => {
    const segments = path.split('.').filter((s) => !['mean', 'value'].includes(s))
    return segments.at(-1) ?? path
  }
  const paths = Object.keys(values)
  for (const path of paths) {
    const value = values[path]
    if (value === null || value === undefined) continue
    const name = leaf(path)
    const unique = paths.filter((other) => leaf(other) === name).length === 1
    facts[unique ? (RENAMED[name] ?? name) : path] = typeof value === 'object' ? JSON.stringify(value) : value
  }
  return facts
}

export const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
export const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.map(object) : [])
export const text = (value: Json | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
export const number = (value: Json | undefined): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
