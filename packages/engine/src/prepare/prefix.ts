/**
 * Theoretical prefix-cache hits with an endless cache: the leading run of a prompt's block ids that occurred in an
 * earlier prompt of the dataset, in dataset order.
 */
export class PrefixHits {
  readonly #seen = new Set<number>()

  add(hashIds: readonly number[]): { hit: number; blocks: number } {
    let hit = 0
    while (hit < hashIds.length && this.#seen.has(hashIds[hit]!)) hit++
    for (const id of hashIds) this.#seen.add(id)
    return { hit, blocks: hashIds.length }
  }
}
