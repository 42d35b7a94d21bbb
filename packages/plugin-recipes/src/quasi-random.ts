import { defineSearchPlanner, type Point, type Trial } from '@aiperf/core'
import { pointAt } from './design/dimension.js'
import { Sobol } from './design/sobol.js'
import { keeps, marginOf, statistic } from './evidence/margin.js'
import { mean } from './statistics/student.js'

/** Points spread evenly over the space, whatever came of those before: what any other planner must beat. */
export default defineSearchPlanner({
  create: ({ search, random }) => {
    const sobol = new Sobol(search.dimensions.length, random('points'))
    let asked = 0
    const feasible = (trials: readonly Trial[]) => search.constraints.every((limit) => keeps(mean(trials.map((trial) => marginOf(statistic(trial, limit), limit))), limit))
    return {
      ask: () => (asked < search.maxIterations ? { kind: 'point', point: pointAt(search.dimensions, sobol.at(asked)) } : { kind: 'done', reason: 'max_iterations' }),
      tell(_point: Point, trials: readonly Trial[]) {
        asked++
        return { feasible: feasible(trials), nonMonotonic: false }
      },
      summary: () => ({}),
      snapshot: () => ({ asked }),
      restore(snapshot) {
        asked = Number(snapshot['asked'])
      },
    }
  },
})
