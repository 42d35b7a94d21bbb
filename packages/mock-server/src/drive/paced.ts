import type { Generation } from '../answer/generation.js'
import type { Timed } from '../pacing/schedule.js'
import type { TokenTimes } from '../timing/token-times.js'
import type { Traffic } from '../truth/traffic.js'

/**
 * Sends an answer by the two distributions: an event is due when its first token is, at arrival + time to first token +
 * the gaps before it, however late the events before it were. A whole body is due with its last token.
 */
export class PacedAnswer implements Timed {
  dueMs: number
  readonly #gapMs: (tokens: number) => number

  constructor(
    private readonly generation: Generation,
    times: TokenTimes,
    private readonly traffic: Traffic,
  ) {
    const { answer, exchange } = generation
    this.#gapMs = times.gaps(answer.ordinal)
    this.dueMs = exchange.arrivalMs + times.ttftMs(answer.ordinal)
    if (!answer.stream) this.dueMs += this.#gapMs(answer.tokens - 1)
  }

  get cancelled(): boolean {
    return this.generation.over
  }

  fire(nowMs: number): boolean {
    const { generation } = this
    let bytes = ''
    do {
      this.traffic.late(nowMs - this.dueMs)
      const before = generation.token
      bytes += generation.pull(nowMs)
      this.dueMs += this.#gapMs(generation.token - before) + generation.takeDelay()
    } while (!generation.over && this.dueMs <= nowMs)
    generation.write(bytes)
    return !generation.over
  }
}
