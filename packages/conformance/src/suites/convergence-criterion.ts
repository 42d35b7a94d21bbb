import type { RepeatedRun } from '@aiperf/core'
import { ensure, group, shown, type Group } from '../checks.js'
import { pure } from '../pure.js'
import { randomOf, type Subject } from '../subject.js'
import type { CommonCase } from '../cases.js'

export function convergenceCriterionSuite(subject: Subject<'convergence_criterion'>, given: CommonCase): Group[] {
  const runs = (count: number, spread: number): RepeatedRun[] => {
    const random = randomOf(3)('runs')
    return Array.from({ length: count }, (_, i) => ({ value: 100 + spread * (i % 2 === 0 ? 1 : -1) * (1 + i), sample: Float64Array.from({ length: 200 }, () => 100 + spread * (i % 2 === 0 ? 3 : -3) * (1 + i) + random.normal()) }))
  }
  const judge = async (list: RepeatedRun[]) => {
    const criterion = await subject.create({ options: subject.options(given.options), random: randomOf(1) })
    const verdict = pure('converged', () => criterion.converged(list))
    ensure(typeof verdict?.converged === 'boolean' && typeof verdict.detail === 'object', `converged returned ${shown(verdict)}`)
    return verdict
  }
  return [
    group('verdict', {
      'runs that agree have converged': async () => ensure((await judge(runs(8, 0))).converged, 'eight equal runs have not converged'),
      'runs that differ wildly have not': async () => ensure(!(await judge(runs(4, 30))).converged, 'runs from 10 to 190 have converged'),
      'nothing, one run and missing values are no error': async () => {
        for (const list of [[], runs(1, 0), [{ value: undefined, sample: [] }, { value: undefined, sample: [] }]]) ensure(!(await judge(list)).converged, `${list.length} runs without enough values have converged`)
      },
    }),
  ]
}
