import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Counter } from './counter.js'

const S = 1e9
interface Setup {
  /** Seconds of the samples and the value at each; NaN: not there. */
  points: [seconds: number, value: number][]
  continuous?: boolean
  borders?: Record<string, number>
  every?: number
}
function stats({ points, continuous = false, borders = {}, every = 1 }: Setup, from: number, to: number, phase?: number) {
  const target = { ns: Float64Array.from(points, ([t]) => t * S), everyNs: new Float64Array(points.length).fill(every * S), borders: new Map(Object.entries(borders)) }
  const samples: number[] = []
  const values: number[] = []
  points.forEach(([, v], i) => {
    const before = values.at(-1)
    if (samples.length === 0 ? Number.isNaN(v) : Object.is(v, before)) return
    samples.push(i)
    values.push(v)
  })
  const changes = { samples: Float64Array.from(samples), values: Float64Array.from(values), continuous }
  return new Counter(target, changes).over([{ startNs: from * S, endNs: to * S, ...(phase === undefined ? {} : { phase }) }])
}

describe('a counter of events', () => {
  it('is exact between the samples taken at the borders, wherever the ticks fell', () => {
    const setup = { points: [[-1, 90], [-0.01, 100], [0.7, 117], [1.7, 140], [2.02, 150], [2.6, 150]] as [number, number][], borders: { 'start 1': 1, 'end 1': 4 } }
    expect(stats(setup, 0, 2, 1)).toEqual({ total: 50, rate: 25, resets: 0, exact: true })
  })
  it('is interpolated without them, and says so', () => {
    const setup = { points: [[-1, 0], [1, 20], [3, 60]] as [number, number][] }
    expect(stats(setup, 0, 2)).toMatchObject({ total: 30, rate: 15, exact: false })
  })
  it('goes on after a restart', () => {
    const setup = { points: [[0, 100], [1, 110], [2, 4], [3, 9], [4, 2]] as [number, number][], borders: { 'start 0': 0, 'end 0': 4 } }
    expect(stats(setup, 0, 4, 0)).toMatchObject({ total: 10 + 4 + 5 + 2, resets: 2, exact: false })
  })
  it('was 0 before it appeared, when its target was watched already', () => {
    const setup = { points: [[-0.1, Number.NaN], [1, 7], [2.1, 12]] as [number, number][], borders: { 'start 0': 0, 'end 0': 2 } }
    expect(stats(setup, 0, 2, 0)).toMatchObject({ total: 12, exact: true })
  })
  it('knows nothing of what was before the first sample', () => {
    expect(stats({ points: [[1, 1000], [2, 1005]] }, 0, 2)).toMatchObject({ total: 5, exact: false })
    expect(stats({ points: [[5, 1], [6, 2]] }, 0, 2)).toBeUndefined()
  })
  it('stands still while it is gone', () => {
    const setup = { points: [[0, 10], [1, Number.NaN], [2, 14], [3, 15]] as [number, number][], borders: { 'start 0': 0, 'end 0': 3 } }
    expect(stats(setup, 0, 3, 0)).toMatchObject({ total: 5, resets: 0 })
  })
  it('parts of a window add up to the window', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ min: 0.1, max: 2, noNaN: true }), fc.nat(50)), { minLength: 2, maxLength: 30 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (steps, share, continuous) => {
        let t = 0
        let v = 0
        const points = steps.map(([dt, dv]) => [(t += dt), continuous ? (v += dv + 1) : dv % 9 === 0 ? (v = dv) : (v += dv)] as [number, number])
        const from = points[0]![0]
        const to = points.at(-1)![0]
        const cut = from + (to - from) * share
        const setup = { points, continuous }
        const total = (a: number, b: number): number => stats(setup, a, b)?.total ?? 0
        expect(total(from, cut) + total(cut, to)).toBeCloseTo(total(from, to), 6)
      }),
    )
  })
})

describe('a counter that never rests', () => {
  const watts = (t: number): number => 200 + 100 * Math.sin(t / 3)
  const joules = (t: number): number => 200 * t - 300 * Math.cos(t / 3)
  const truth = (from: number, to: number): number => joules(to) - joules(from)
  it('is interpolated at the borders', () => {
    const points = Array.from({ length: 90 }, (_, i) => [i / 3 - 5.1, joules(i / 3 - 5.1)] as [number, number])
    const s = stats({ points, continuous: true, every: 1 / 3 }, 0, 20, 0)!
    expect(s.total / truth(0, 20)).toBeCloseTo(1, 4)
    expect(s.exact).toBe(true)
  })
  it.each([1, 2.5])('is right within half a percent when its source refreshes it each %s s only', (refresh) => {
    const seen = (t: number): number => joules(Math.floor((t - 0.137) / refresh) * refresh + 0.137)
    for (const offset of [0, 0.11, 0.23, 0.31]) {
      const points = Array.from({ length: 100 }, (_, i) => [i / 3 - 1 + offset, seen(i / 3 - 1 + offset)] as [number, number])
      const s = stats({ points, continuous: true, every: 1 / 3 }, 0, 30, 0)!
      expect(Math.abs(s.total / truth(0, 30) - 1)).toBeLessThan(0.005)
    }
    expect(watts(0)).toBe(200)
  })
  it('goes on as it went where samples end early, and says so', () => {
    const points = Array.from({ length: 20 }, (_, i) => [i / 2, 250 * (i / 2)] as [number, number])
    const s = stats({ points, continuous: true, every: 0.5 }, 0, 20, 0)
    expect(s).toBeDefined()
    expect(s!.total).toBeCloseTo(250 * 20, 6)
    expect(s!.exact).toBe(false)
  })
})
