import type { EndpointContext, RunModel } from '@aiperf/core'

/** What an endpoint is told of the run. */
export function endpointContext(model: RunModel): EndpointContext {
  const { endpoint } = model
  return {
    options: endpoint.options,
    streaming: endpoint.streaming,
    models: model.models,
    extraInputs: endpoint.extraInputs,
    useLegacyMaxTokens: endpoint.useLegacyMaxTokens,
    useServerTokenCount: endpoint.useServerTokenCount,
    perChunkUsage: endpoint.perChunkUsage,
  }
}
