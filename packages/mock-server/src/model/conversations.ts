import type { Prompt } from '../ask/ask.js'

/** How many answers are remembered, the newest. */
const KEPT = 100_000

/** What the server remembers of a conversation up to one of its answers. */
export interface Remembered {
  readonly tokens: number
  /** All of it as a prefix cache would see it; '' where nothing looks at it. */
  readonly whole: Prompt['whole']
}

/** Conversations that the server keeps (Responses API), by the id of each answer. */
export class Conversations {
  readonly #byId = new Map<string, Remembered>()

  remember(id: string, conversation: Remembered): void {
    this.#byId.set(id, conversation)
    if (this.#byId.size > KEPT) this.#byId.delete(this.#byId.keys().next().value!)
  }

  recall(id: string): Remembered | undefined {
    return this.#byId.get(id)
  }
}
