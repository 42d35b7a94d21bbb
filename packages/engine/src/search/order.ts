import { createRandom } from '@aiperf/core'

/** A run of a sweep: which point, which time. Both from 0. */
export interface Turn {
  cell: number
  trial: number
}

/**
 * The runs of a sweep in the order they are made: `repeated` goes through all points and begins again, `independent` makes
 * all runs of a point before the next. A shuffled order is drawn anew for each pass over the points, so that what drifts
 * with time falls on no point in particular.
 */
export function turns(cells: number, trials: number, order: 'repeated' | 'independent', shuffleSeed?: number): Turn[] {
  const range = (n: number) => Array.from({ length: n }, (_, i) => i)
  const pass = (name: string) => (shuffleSeed === undefined ? range(cells) : shuffled(cells, shuffleSeed, name))
  if (order === 'repeated') return range(trials).flatMap((trial) => pass(`trial ${trial}`).map((cell) => ({ cell, trial })))
  return pass('points').flatMap((cell) => range(trials).map((trial) => ({ cell, trial })))
}

/** Fisher and Yates. */
function shuffled(count: number, seed: number, name: string): number[] {
  const random = createRandom(seed, `order of the sweep, ${name}`)
  const order = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = random.integer(0, i)
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  return order
}
