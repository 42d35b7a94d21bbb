import { ensure, group, type Group } from '../checks.js'
import { pure } from '../pure.js'
import { randomOf, type Subject } from '../subject.js'

const STEPS = 200

export function rampSuite(subject: Subject<'ramp'>): Group[] {
  const curve = async (seed = 1) => {
    const ramp = await subject.create(undefined)
    const random = randomOf(seed)('ramp')
    return pure('curve', () => ramp.curve(random, { range: 100, seconds: 10 }))
  }
  return [
    group('curve', {
      'leads from 0 to 1 and never falls': async () => {
        const { at } = await curve()
        ensure(at(0) === 0, `at(0) is ${at(0)}`)
        ensure(Math.abs(at(1) - 1) < 1e-9, `at(1) is ${at(1)}`)
        for (let i = 1; i <= STEPS; i++) ensure(at(i / STEPS) >= at((i - 1) / STEPS) - 1e-12, `the curve falls at ${i / STEPS}`)
      },
      'its inverse is the time at which a value is reached': async () => {
        const { at, inverse } = await curve()
        for (let i = 0; i <= STEPS; i++) {
          const s = inverse(i / STEPS)
          ensure(s >= 0 && s <= 1, `inverse(${i / STEPS}) is ${s}`)
          ensure(at(Math.min(1, s + 1e-9)) >= i / STEPS - 0.02, `inverse(${i / STEPS}) is ${s}, but there the curve is only at ${at(s)}`)
        }
      },
      'the same seed gives the same curve': async () => {
        const [one, two] = [await curve(5), await curve(5)]
        for (let i = 0; i <= STEPS; i++) ensure(one.at(i / STEPS) === two.at(i / STEPS), 'two curves of one seed differ')
      },
    }),
  ]
}
