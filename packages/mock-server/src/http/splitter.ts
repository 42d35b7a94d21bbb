import type { Socket } from 'node:net'
import { PURPOSE, Random } from '../timing/random.js'

const LONGEST_PIECE = 23

/** Sends text in pieces of 1 to 23 bytes, one in each turn of the event loop, so that reads end at any byte. */
export class Splitter {
  readonly #random: Random
  #waiting = ''
  #afterwards: (() => void) | undefined
  #running = false

  constructor(
    readonly socket: Socket,
    seed: number,
  ) {
    this.#random = new Random(seed, 0, PURPOSE.fault)
  }

  /** Whether text is still waiting, so that what follows must wait behind it. */
  get busy(): boolean {
    return this.#waiting !== ''
  }

  write(text: string): void {
    this.#waiting += text
    if (this.#running) return
    this.#running = true
    setImmediate(() => this.#next())
  }

  /** Calls back when all has been sent, at once where nothing waits. */
  drained(callback: () => void): void {
    if (this.busy) this.#afterwards = callback
    else callback()
  }

  #next(): void {
    const size = 1 + Math.floor(this.#random.next() * LONGEST_PIECE)
    if (this.socket.writable) this.socket.write(this.#waiting.slice(0, size), 'latin1')
    this.#waiting = this.socket.writable ? this.#waiting.slice(size) : ''
    if (this.busy) {
      setImmediate(() => this.#next())
      return
    }
    this.#running = false
    this.#afterwards?.()
    this.#afterwards = undefined
  }
}
