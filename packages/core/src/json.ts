import type { JsonObject } from './contracts/dataset.js'

/** Whether a JSON value is an object: neither null nor a list nor a scalar. */
export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
