import { performance } from 'node:perf_hooks'

/**
 * Runs a function that the contract calls pure, with the clock and the global random numbers taken away: reading either is
 * an error that says so.
 */
export function pure<T>(what: string, action: () => T): T {
  const refuse = (name: string) => () => {
    throw new Error(`${what} calls ${name}: it must not read the clock, and draw random numbers only from the stream that it is given`)
  }
  const { random } = Math
  const { now } = Date
  const { hrtime } = process
  const { bigint } = hrtime
  const clock = performance.now
  Math.random = refuse('Math.random()')
  Date.now = refuse('Date.now()')
  hrtime.bigint = refuse('process.hrtime.bigint()')
  performance.now = refuse('performance.now()')
  try {
    return action()
  } finally {
    Math.random = random
    Date.now = now
    hrtime.bigint = bigint
    performance.now = clock
  }
}

/** A copy that cannot be changed, all the way down: changing what belongs to the host throws. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof Map || value instanceof Set || Object.isFrozen(value)) return value
  for (const item of Object.values(value)) frozen(item)
  return Object.freeze(value)
}
