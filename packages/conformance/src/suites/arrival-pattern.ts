import { ensure, group, type Group } from '../checks.js'
import { pure } from '../pure.js'
import { randomOf, type Subject } from '../subject.js'

const GAPS = 20_000
/** The mean of so many gaps of a law with a coefficient of variation of 3 is within this of 1, all but never not. */
const TOLERANCE = 0.1

export function arrivalPatternSuite(subject: Subject<'arrival_pattern'>): Group[] {
  const gaps = async (seed: number, count = GAPS): Promise<number[]> => {
    const pattern = await subject.create(undefined)
    const random = randomOf(seed)('arrivals')
    const next = pure('gaps', () => pattern.gaps(random, { burst: 4 }))
    return pure('a gap', () => Array.from({ length: count }, next))
  }
  return [
    group('gaps', {
      'start is one of the two': async () => {
        const { start } = await subject.create(undefined)
        ensure(start === 'gap' || start === 'zero', `start is ${JSON.stringify(start)}, expected gap or zero`)
      },
      'are finite and not negative': async () => {
        const bad = (await gaps(1)).find((gap) => !(Number.isFinite(gap) && gap >= 0))
        ensure(bad === undefined, `a gap is ${bad}`)
      },
      'have the mean 1': async () => {
        const mean = (await gaps(1)).reduce((sum, gap) => sum + gap, 0) / GAPS
        ensure(Math.abs(mean - 1) < TOLERANCE, `the mean of ${GAPS} gaps is ${mean.toFixed(3)}: a pattern is a unit-rate process, the planner scales it`)
      },
      'the same seed gives the same gaps': async () => {
        ensure(JSON.stringify(await gaps(7, 200)) === JSON.stringify(await gaps(7, 200)), 'two streams of one seed give different gaps')
      },
      'two sequences do not share anything': async () => {
        const pattern = await subject.create(undefined)
        const alone = await gaps(3, 50)
        const [one, two] = [pattern.gaps(randomOf(3)('arrivals'), { burst: 4 }), pattern.gaps(randomOf(3)('arrivals'), { burst: 4 })]
        const mixed = alone.map(() => [one(), two()])
        ensure(mixed.every(([a, b], i) => a === alone[i] && b === alone[i]), 'a sequence changes when another is drawn beside it')
      },
    }),
  ]
}
