import type { Turn } from '@aiperf/core'

/**
 * Gives a turn texts that are made when they are read, so that a long dataset costs little: the engine makes those of a
 * very long one while the run goes on. They are the same whenever they are made.
 */
export function madeWhenRead(turn: Turn, make: () => string[]): Turn {
  let texts: Turn['texts']
  return Object.defineProperty(turn, 'texts', { enumerable: true, get: () => (texts ??= [{ contents: make() }]) })
}
