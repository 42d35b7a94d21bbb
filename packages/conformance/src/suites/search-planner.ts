import type { Point, Search, SearchPlanner } from '@aiperf/core'
import type { SearchPlannerCase } from '../cases.js'
import { ensure, group, shown, type Group } from '../checks.js'
import { frozen } from '../pure.js'
import { sampleTrial } from '../sample/trials.js'
import { randomOf, type Subject } from '../subject.js'

export function searchPlannerSuite(subject: Subject<'search_planner'>, given: SearchPlannerCase): Group[] {
  const options = subject.options(given.options)
  const search = frozen({
    kind: 'search', planner: subject.name, plannerOptions: options, dimensions: [{ path: 'phases.profiling.concurrency', low: 1, high: 64, integer: true }],
    objectives: [{ tag: 'request_throughput', stat: 'avg', direction: 'maximize' }], constraints: [{ tag: 'request_latency', stat: 'p95', op: '<=', threshold: 500 }], fixed: {}, maxIterations: 30, ...given.search,
  }) as Search
  const make = (): Promise<SearchPlanner> => subject.create({ options, search, random: randomOf(1) })

  /** Asks and tells until it is done, at most `limit` times. */
  function play(planner: SearchPlanner, limit: number): { points: Point[]; done: string | undefined } {
    const points: Point[] = []
    while (points.length < limit) {
      const ask = planner.ask()
      if (ask.kind === 'done') return { points, done: ask.reason }
      points.push(ask.point)
      const told = planner.tell(ask.point, [sampleTrial(ask.point, points.length)])
      ensure(typeof told?.nonMonotonic === 'boolean', `tell returned ${shown(told)}`)
    }
    return { points, done: undefined }
  }

  return [
    group('search', {
      'stays within the space': async () => {
        for (const point of play(await make(), search.maxIterations).points)
          for (const { path, low, high, integer } of search.dimensions) {
            const value = point[path]
            ensure(typeof value === 'number' && value >= low && value <= high && (!integer || Number.isInteger(value)), `it asks for ${path} = ${shown(value)}, the space is ${low} to ${high}${integer ? ', whole numbers' : ''}`)
          }
      },
      'says why it is done, and stays done': async () => {
        const planner = await make()
        const { done, points } = play(planner, search.maxIterations + 1)
        ensure(points.length <= search.maxIterations, `it asked for more than ${search.maxIterations} runs`)
        if (done === undefined) return
        ensure(/^[a-z][a-z0-9_]*$/.test(done), `the reason ${shown(done)} is no stable word`)
        ensure(planner.ask().kind === 'done', 'ask after done asks for more')
      },
      'the same results lead to the same questions': async () => {
        const [one, two] = [play(await make(), 20), play(await make(), 20)]
        ensure(JSON.stringify(one) === JSON.stringify(two), 'two searches over the same results differ')
      },
      'goes on from a snapshot': async () => {
        const whole = play(await make(), 20)
        const first = await make()
        const half = Math.floor(whole.points.length / 2)
        play(first, half)
        const second = await make()
        second.restore(JSON.parse(JSON.stringify(first.snapshot())) as never)
        const rest: Point[] = []
        for (let i = half; i < whole.points.length; i++) {
          const ask = second.ask()
          if (ask.kind === 'done') break
          rest.push(ask.point)
          second.tell(ask.point, [sampleTrial(ask.point, i + 1)])
        }
        ensure(JSON.stringify(rest) === JSON.stringify(whole.points.slice(half)), `after a snapshot it asks for ${shown(rest)}, without one for ${shown(whole.points.slice(half))}`)
      },
      'runs that failed are no end of it': async () => {
        const planner = await make()
        for (let i = 0; i < 5; i++) {
          const ask = planner.ask()
          if (ask.kind === 'done') break
          planner.tell(ask.point, [{ ...sampleTrial(ask.point, i), metrics: new Map(), verdict: 'invalid', failed: 'no request succeeded' }])
        }
        ensure(typeof planner.summary() === 'object', 'summary is no object')
      },
    }),
  ]
}
