import type { Arrival, DatasetSampler, PlanDataset } from '@aiperf/core'

/** Longest look ahead of a plan whose load may change, ns. */
export const LOOK_AHEAD_NS = 100e6

/**
 * Users who come and go: of `most` users, who share the slots of 1/`most` of the gap, `active` are there. One who is no
 * longer wanted plays the conversation to its end and has no successor. Who is there is chosen such that few users are
 * spread over the gap as evenly as many.
 */
export class ScaledUsers {
  readonly #begins: Float64Array
  readonly #rank: Int32Array
  #slot = 0
  #sessions = 0
  #lastUser = 0
  #lookedToNs = 0
  active: number

  constructor(
    readonly most: number,
    readonly slotNs: number,
    active: number,
    readonly sampler: DatasetSampler,
    readonly dataset: PlanDataset,
  ) {
    this.active = active
    this.#begins = Float64Array.from({ length: most }, (_, slot) => slot)
    this.#rank = spreadRanks(most)
  }

  next(): Arrival {
    for (;;) {
      const dueNs = Math.round(this.#slot * this.slotNs)
      if (dueNs > this.#lookedToNs + LOOK_AHEAD_NS) {
        this.#lookedToNs += LOOK_AHEAD_NS
        return { dueNs: this.#lookedToNs, pause: true }
      }
      const user = this.#slot % this.most
      if (this.#rank[user]! < this.active && this.#begins[user]! <= this.#slot) return this.#arrive(user, dueNs)
      this.#slot++
    }
  }

  #arrive(user: number, dueNs: number): Arrival {
    const session = this.sampler.at(this.#sessions++)
    this.#begins[user] = this.#slot + Math.max(1, this.dataset.turns(session)) * this.most
    this.#slot++
    this.#lookedToNs = dueNs
    return { dueNs, session, user: ++this.#lastUser }
  }
}

/** Rank of every position such that the positions of the first k ranks are nearly evenly spread, for every k. */
export function spreadRanks(n: number): Int32Array {
  // Multiples of the golden ratio modulo 1 are spread evenly at every count (three-distance theorem).
  const golden = (Math.sqrt(5) - 1) / 2
  const order = Float64Array.from({ length: n }, (_, k) => (k * golden) % 1)
  const byPlace = Array.from(order.keys()).sort((a, b) => order[a]! - order[b]!)
  return Int32Array.from(byPlace)
}
