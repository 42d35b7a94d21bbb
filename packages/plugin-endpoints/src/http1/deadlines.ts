/** Something with a time limit; a link of an intrusive list, so that setting and lifting a limit allocates nothing. */
export interface Timed {
  deadlineNs: number
  previous: Timed | undefined
  next: Timed | undefined
  list: DeadlineList | undefined
  expire(): void
}

/** Items of one limit, in the order in which they were added, hence of their deadlines. */
export class DeadlineList {
  first: Timed | undefined
  last: Timed | undefined
}

/**
 * Time limits of many requests by one timer. Requests of a run share their limit, so that a list per limit stays sorted
 * by itself; the timer is set for the earliest deadline and never touched when a request ends in time.
 */
export class Deadlines {
  readonly #now: () => number
  readonly #lists = new Map<number, DeadlineList>()
  #timer: NodeJS.Timeout | undefined
  #timerNs = Infinity

  constructor(now: () => number) {
    this.#now = now
  }

  /** Expires `item` after `limitMs` from `ns`. */
  add(item: Timed, limitMs: number, ns: number): void {
    let list = this.#lists.get(limitMs)
    if (list === undefined) this.#lists.set(limitMs, (list = new DeadlineList()))
    item.deadlineNs = ns + limitMs * 1e6
    item.list = list
    item.previous = list.last
    item.next = undefined
    if (list.last === undefined) list.first = item
    else list.last.next = item
    list.last = item
    if (item.deadlineNs < this.#timerNs) this.#set(item.deadlineNs, ns)
  }

  remove(item: Timed): void {
    const list = item.list
    if (list === undefined) return
    if (item.previous === undefined) list.first = item.next
    else item.previous.next = item.next
    if (item.next === undefined) list.last = item.previous
    else item.next.previous = item.previous
    item.list = item.previous = item.next = undefined
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#timerNs = Infinity
    this.#lists.clear()
  }

  #set(deadlineNs: number, ns: number): void {
    clearTimeout(this.#timer)
    this.#timerNs = deadlineNs
    // A timer longer than 2^31 ms would fire at once; at a day's length it is simply set again.
    const delayMs = Math.min(86_400_000, Math.max(1, Math.ceil((deadlineNs - ns) / 1e6)))
    this.#timer = setTimeout(() => this.#fire(), delayMs).unref()
  }

  #fire(): void {
    const ns = this.#now()
    this.#timerNs = Infinity
    for (const [limit, list] of this.#lists) {
      while (list.first !== undefined && list.first.deadlineNs <= ns) {
        const item = list.first
        this.remove(item)
        item.expire()
      }
      if (list.first === undefined) this.#lists.delete(limit)
    }
    let earliest = Infinity
    for (const list of this.#lists.values()) if (list.first !== undefined && list.first.deadlineNs < earliest) earliest = list.first.deadlineNs
    if (earliest < this.#timerNs) this.#set(earliest, ns)
  }
}
