import { join } from 'node:path'
import type { RunModel } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import { resetKvCache, type HookInput } from '../server/hooks.js'
import { NETWORK_LATENCY, probeNetwork, type NetworkLatency } from '../server/network-latency.js'
import { waitForModels } from '../server/ready.js'
import type { ClockOrigin } from '../shared/clock.js'
import { endpointContext } from './endpoint.js'
import { ownHeaders } from './headers.js'
import { targetsOf } from './targets.js'

/** What a run asks of its servers besides the requests that it measures. */
export class Servers {
  readonly hooks: HookInput
  readonly #host: Host

  constructor(model: RunModel, host: Host) {
    this.#host = host
    this.hooks = { model, targets: targetsOf(model, host), headers: ownHeaders(model, host) }
  }

  /** Waits until they answer, if the run is to. */
  async ready(log: (message: string) => void, signal: AbortSignal): Promise<void> {
    const { model } = this.hooks
    if (model.endpoint.waitForModel.timeoutSeconds <= 0) return
    const endpoint = await this.#host.activate('endpoint', model.endpoint.type, endpointContext({ ...model, endpoint: { ...model.endpoint, streaming: false } }))
    await waitForModels({ ...this.hooks, endpoint, log, signal })
  }

  resetKvCache(): Promise<void> {
    return resetKvCache(this.hooks)
  }

  /** Measures the network while the run goes on, if it is to. */
  probeNetwork(journal: string, now: () => number, { unixNs }: ClockOrigin): NetworkLatency | undefined {
    const { model, targets } = this.hooks
    const { automatic, intervalSeconds } = model.networkLatency
    return automatic ? probeNetwork(targets, intervalSeconds, join(journal, NETWORK_LATENCY), now, unixNs) : undefined
  }
}
