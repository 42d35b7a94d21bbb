import type { Json, JsonObject } from '@aiperf/core'
import { objectOf } from '../decode/json.js'

/**
 * Asks a streaming server for its token counts; what the user set of it stays. `continuous` asks for them in every chunk
 * (vLLM).
 */
export function withUsage(body: JsonObject, continuous: boolean): JsonObject {
  if (!truthy(body['stream'])) return body
  const own = { include_usage: true, ...(continuous ? { continuous_usage_stats: true } : {}) }
  return { ...body, stream_options: { ...own, ...objectOf(body['stream_options']) } }
}

function truthy(value: Json | undefined): boolean {
  return value !== undefined && Boolean(value)
}
