import type { Generation } from '../answer/generation.js'
import { chunk } from '../http/response.js'
import type { Timed } from '../pacing/schedule.js'

const PING = ': ping\n\n'

/** Sends a comment at a fixed interval while a stream is open, whether or not tokens come. */
export class Ping implements Timed {
  dueMs: number

  constructor(
    private readonly generation: Generation,
    private readonly everyMs: number,
  ) {
    this.dueMs = generation.exchange.arrivalMs + everyMs
  }

  get cancelled(): boolean {
    return this.generation.over
  }

  fire(): boolean {
    this.generation.interject(this.generation.exchange.canChunk ? chunk(PING) : PING)
    this.dueMs += this.everyMs
    return true
  }
}
