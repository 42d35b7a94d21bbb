import type { RunModel } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import type { DatasetSizes } from '../control/messages.js'
import { createPlan } from '../control/plan.js'
import { PHASE } from '../shared/words.js'
import type { Store } from '../store/reader.js'

/** In which order a phase starts the sessions of the dataset, and how far it has come. */
export interface NeedOrder {
  /** Dataset index of the n-th session that starts; undefined when the phase starts no more. Asked in order. */
  at(n: number): number | undefined
  /** Sessions that were started. */
  started(): number
}

/** By the same plan that the phase is played by: it is a function of its options and the seed. */
export async function needOrder(host: Host, model: RunModel, phase: number, words: Int32Array, store: Store, sizes: DatasetSizes, seed: number): Promise<NeedOrder> {
  const { sessions, requests } = model.phases[phase]!
  const { plan, sampler } = await createPlan(host, model, model.phases[phase]!, store, sizes, seed)
  // A session sends at least one request.
  const most = plan.totals?.sessions ?? sessions ?? requests ?? Infinity
  const { arrivals } = plan
  // What a plan that changes with what is measured will do is not known; its sessions come from the sampler.
  const named = arrivals.kind === 'timed' && !plan.adapt ? arrivals : undefined
  return {
    at(n) {
      if (n >= most) return undefined
      if (!named) return sampler.at(n)
      const arrival = named.next()
      return arrival && (arrival.session ?? sampler.at(n))
    },
    started: () => Atomics.load(words, arrivals.kind === 'timed' ? PHASE.claimed : PHASE.sessions),
  }
}
