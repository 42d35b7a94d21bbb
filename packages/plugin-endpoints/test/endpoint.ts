import type { Contribution, Endpoint, EndpointContext, EncodeInput, JsonObject, Turn, WireRequest } from '@aiperf/core'

type AnyEndpoint = Contribution<'endpoint', EndpointContext<never>, Endpoint>

/** An endpoint as a run would make it; what is not given is as by default. */
export async function endpoint(contribution: unknown, context: Partial<EndpointContext> = {}): Promise<Endpoint> {
  const whole: EndpointContext = {
    options: {}, streaming: false, models: ['m'], extraInputs: {}, useLegacyMaxTokens: false, useServerTokenCount: false, perChunkUsage: false, ...context,
  }
  return (contribution as AnyEndpoint).create(whole as EndpointContext<never>)
}

export function input(turns: Turn | Turn[], extra: Partial<EncodeInput> = {}): EncodeInput {
  return { turns: Array.isArray(turns) ? turns : [turns], replies: [], session: {}, ...extra }
}

/** A turn of one text. */
export const text = (content: string, extra: Turn = {}): Turn => ({ texts: [{ contents: [content] }], ...extra })

export function bodyOf(request: WireRequest): JsonObject {
  return JSON.parse(Buffer.from(request.body).toString('utf8')) as JsonObject
}
