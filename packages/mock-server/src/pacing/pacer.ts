import { nowMs } from '../timing/clock.js'
import { Schedule, type Timed } from './schedule.js'
import type { Waker } from './waker.js'

/** After this long of sending what is due, other events get their turn. */
const LONGEST_TURN_MS = 2

/**
 * Fires what is due, when it is due. One schedule serves all streams, and one waker the schedule; for the last moment
 * before something is due the event loop is kept turning (`waker.spinMs`), as no way of sleeping is exact enough.
 */
export class Pacer {
  readonly #schedule = new Schedule()
  /** What is added while something fires: the schedule must not change under it. */
  #added: Timed[] = []
  #firing = false
  #turnPending = false
  #closed = false

  constructor(private readonly waker: Waker) {
    waker.onWake = () => this.#turn()
  }

  add(item: Timed): void {
    if (this.#firing) this.#added.push(item)
    else {
      this.#schedule.push(item)
      this.#turnSoon()
    }
  }

  close(): void {
    this.#closed = true
    this.waker.close()
  }

  #turnSoon(): void {
    if (this.#turnPending || this.#closed) return
    this.#turnPending = true
    setImmediate(() => {
      this.#turnPending = false
      this.#turn()
    })
  }

  #turn(): void {
    const schedule = this.#schedule
    let now = nowMs()
    const untilMs = now + LONGEST_TURN_MS
    let next = schedule.peek()
    while (next !== undefined && (next.cancelled || next.dueMs <= now) && now < untilMs) {
      if (!next.cancelled && this.#fire(next, now)) schedule.moved()
      else schedule.pop()
      while (this.#added.length > 0) schedule.push(this.#added.pop()!)
      now = nowMs()
      next = schedule.peek()
    }
    if (next === undefined || this.#closed) return
    if (next.dueMs - now <= this.waker.spinMs) this.#turnSoon()
    else this.waker.wakeAt(next.dueMs - this.waker.spinMs)
  }

  #fire(item: Timed, now: number): boolean {
    this.#firing = true
    try {
      return item.fire(now)
    } finally {
      this.#firing = false
    }
  }
}
