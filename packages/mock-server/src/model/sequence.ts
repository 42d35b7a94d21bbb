import type { Generation } from '../answer/generation.js'

/** A request in the batching model. */
export class Sequence {
  /** Prompt tokens that still have to be prefilled; undefined until it is let in. */
  prefillLeft = 0
  /** Tokens the model has made. */
  produced = 0
  #heldUntilMs = 0

  constructor(
    readonly generation: Generation,
    readonly prompt: string,
  ) {}

  get promptTokens(): number {
    return this.generation.answer.promptTokens
  }

  get finished(): boolean {
    return this.generation.over
  }

  /** Tokens of KV cache that it occupies. */
  get kvTokens(): number {
    return this.promptTokens + this.produced
  }

  /** Whether the model still has tokens to make for it. */
  get decoding(): boolean {
    return this.prefillLeft === 0 && this.produced < this.generation.answer.tokens
  }

  /** Sends what has been made and not been held back by a fault. */
  send(nowMs: number, dueMs: number): void {
    const { generation } = this
    if (dueMs < this.#heldUntilMs) return
    let bytes = ''
    while (!generation.over && this.produced - generation.token >= generation.tokensForNext) {
      bytes += generation.pull(nowMs)
      const delayMs = generation.takeDelay()
      if (delayMs === 0) continue
      this.#heldUntilMs = dueMs + delayMs
      break
    }
    if (bytes !== '') generation.write(bytes)
  }
}
