import type { EndpointContext, JsonObject, Turn, WireRequest } from '@aiperf/core'

type Settings = Pick<EndpointContext, 'streaming' | 'extraInputs'>

/** Merges a body: the endpoint's own fields, then the run's extra inputs, then the turn's; later ones win. */
export function merged(own: JsonObject, extraInputs: JsonObject, turn: Turn): JsonObject {
  return { ...own, ...extraInputs, ...turn.extraBody }
}

/** The request that carries `body` as JSON. */
export function jsonRequest(body: JsonObject, { streaming }: Pick<Settings, 'streaming'>, headers?: Record<string, string>): WireRequest {
  return {
    method: 'POST',
    contentType: 'application/json',
    accept: streaming ? 'text/event-stream' : 'application/json',
    body: Buffer.from(JSON.stringify(body)),
    ...(headers === undefined ? {} : { headers }),
  }
}

/** Model of a turn: its own, else the run's first. */
export function modelOf(turn: Turn, models: readonly string[]): string {
  return turn.model ?? models[0] ?? ''
}
