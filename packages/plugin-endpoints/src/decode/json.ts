import type { Json, JsonObject } from '@aiperf/core'

/** The value as an object; undefined for everything else, arrays included. */
export function objectOf(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** The value as an array; empty for everything else. */
export function arrayOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** The value as a string; empty for everything else. */
export function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The value as a finite number of zero or more; undefined for everything else. */
export function countOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined
}
