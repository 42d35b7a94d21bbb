import type { HashId } from '../trace/traceRow.js'

/** The distinct id prefixes of a trace, each a node: a block in its place behind the blocks before it. */
export class PrefixTree {
  readonly #children = new Map<string, number>()
  /** How often each node was passed. */
  readonly passed: number[] = []

  get size(): number {
    return this.passed.length
  }

  /** The nodes of a request's ids, first block first; they are counted, and made when new. */
  walk(ids: readonly HashId[]): number[] {
    const nodes: number[] = []
    let parent = -1
    for (const id of ids) {
      const key = `${parent}:${id}`
      let node = this.#children.get(key)
      if (node === undefined) this.#children.set(key, (node = this.passed.push(0) - 1))
      this.passed[node]!++
      nodes.push((parent = node))
    }
    return nodes
  }
}
