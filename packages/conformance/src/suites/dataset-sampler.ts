import { ensure, group, type Group } from '../checks.js'
import { pure } from '../pure.js'
import { randomOf, type Subject } from '../subject.js'

const SIZE = 17
const COUNT = 5 * SIZE

export function datasetSamplerSuite(subject: Subject<'dataset_sampler'>): Group[] {
  const drawn = async (seed: number, order: readonly number[]) => {
    const sampler = await subject.create({ size: SIZE, random: randomOf(seed) })
    return pure('at', () => new Map(order.map((n) => [n, sampler.at(n)])))
  }
  const forward = Array.from({ length: COUNT }, (_, n) => n)
  return [
    group('samples', {
      'are indices of the dataset': async () => {
        for (const [n, at] of await drawn(1, forward)) ensure(Number.isInteger(at) && at >= 0 && at < SIZE, `at(${n}) is ${at} for ${SIZE} sessions`)
      },
      'depend on the seed and on n alone': async () => {
        const [one, backward] = [await drawn(2, forward), await drawn(2, [...forward].reverse())]
        for (const n of forward) ensure(one.get(n) === backward.get(n), `at(${n}) is ${one.get(n)} when asked in order and ${backward.get(n)} when asked backwards: it must be a function of n`)
      },
      'a dataset of one session has one': async () => {
        const sampler = await subject.create({ size: 1, random: randomOf(1) })
        for (let n = 0; n < 10; n++) ensure(sampler.at(n) === 0, `at(${n}) is ${sampler.at(n)}`)
      },
    }),
  ]
}
