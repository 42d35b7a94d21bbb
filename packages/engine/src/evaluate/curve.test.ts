import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Curve } from './curve.js'
import { curveStatistics } from './curve-statistics.js'
import { addSteps, divideSteps, type Steps } from './steps.js'
import { sortByTime } from './time-sort.js'

const EXACT = { exactSteps: 1e6, timeBins: 1024 }

/** Holds of an integer height: [from, from + length) += height. Whole numbers add up without rounding. */
const holds = fc.array(fc.record({ from: fc.integer({ min: 0, max: 900 }), length: fc.integer({ min: 1, max: 300 }), height: fc.integer({ min: 1, max: 9 }) }), {
  minLength: 1,
  maxLength: 60,
})
type Holds = { from: number; length: number; height: number }[]

function curveOf(list: Holds, limits = EXACT, scale = 1): Curve {
  const curve = new Curve(limits, 0)
  for (const { from, length, height } of list) {
    curve.add(from * scale, height)
    curve.add((from + length) * scale, -height)
  }
  return curve
}
const stepsOf = (list: Holds): Steps => curveOf(list).steps()
/** Value at every whole moment, by adding up what covers it. */
const at = (list: Holds, t: number): number => list.reduce((sum, { from, length, height }) => sum + (t >= from && t < from + length ? height : 0), 0)
const moments = (start: number, end: number): number[] => Array.from({ length: end - start }, (_, i) => start + i)

/** The definition, moment by moment. */
function byMoment(values: readonly number[]): Record<string, number> {
  const n = values.length
  const avg = values.reduce((a, b) => a + b, 0) / n
  const sorted = values.toSorted((a, b) => a - b)
  const reach = (q: number): number => sorted[Math.ceil((q / 100) * n) - 1]!
  return {
    avg,
    min: sorted[0]!,
    max: sorted.at(-1)!,
    std: Math.sqrt(values.reduce((sum, v) => sum + (v - avg) ** 2, 0) / n),
    p50: reach(50),
    p90: reach(90),
    p95: reach(95),
    p99: reach(99),
  }
}

function expectClose(found: object | undefined, expected: Record<string, number>): void {
  expect(Object.keys(found!).toSorted()).toEqual(Object.keys(expected).toSorted())
  for (const [key, value] of Object.entries(expected)) expect((found as Record<string, number>)[key], key).toBeCloseTo(value, 9)
}

const window = fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 1, max: 800 })).map(([start, length]) => ({ startNs: start, endNs: start + length }))

describe('curves', () => {
  it('have the time-weighted statistics of what covers each moment', () => {
    fc.assert(
      fc.property(holds, window, (list, { startNs, endNs }) => {
        expectClose(curveStatistics([{ steps: stepsOf(list), startNs, endNs }]), byMoment(moments(startNs, endNs).map((t) => at(list, t))))
      }),
    )
  })

  it('add and divide at each moment, and count only while another is above 0', () => {
    fc.assert(
      fc.property(holds, holds, window, (a, b, { startNs, endNs }) => {
        const times = moments(startNs, endNs)
        const of = (steps: Steps, during?: Steps) => curveStatistics([{ steps, during, startNs, endNs }])
        expectClose(of(addSteps(stepsOf(a), stepsOf(b))), byMoment(times.map((t) => at(a, t) + at(b, t))))
        expectClose(of(divideSteps(stepsOf(a), stepsOf(b))), byMoment(times.map((t) => (at(b, t) > 0 ? at(a, t) / at(b, t) : 0))))
        const busy = times.filter((t) => at(b, t) > 0)
        const found = of(stepsOf(a), stepsOf(b))
        if (busy.length === 0) expect(found).toBeUndefined()
        else expectClose(found, byMoment(busy.map((t) => at(a, t))))
      }),
    )
  })

  it('take several windows together', () => {
    fc.assert(
      fc.property(holds, holds, window, window, (a, b, first, second) => {
        const values = [...moments(first.startNs, first.endNs).map((t) => at(a, t)), ...moments(second.startNs, second.endNs).map((t) => at(b, t))]
        expectClose(curveStatistics([{ steps: stepsOf(a), ...first }, { steps: stepsOf(b), ...second }]), byMoment(values))
      }),
    )
  })

  it('that grow too long for exactness keep their integral, and their shape to the width of a bin', () => {
    fc.assert(
      fc.property(holds, fc.integer({ min: 1, max: 2000 }), (list, microseconds) => {
        const scale = microseconds * 1000
        const exact = curveOf(list, EXACT, scale).steps()
        const binned = curveOf(list, { exactSteps: 4, timeBins: 64 }, scale).steps()
        if (list.length * 2 <= 4) return
        const width = binned.resolutionNs!
        expect(binned.length).toBeLessThanOrEqual(65)
        for (let bin = 0; bin < 64; bin++) {
          const mean = curveStatistics([{ steps: exact, startNs: bin * width, endNs: (bin + 1) * width }])!.avg!
          expect(binned.values[bin]).toBeCloseTo(mean, 6)
        }
      }),
    )
  })

  it('of ratios and busy times are right in a loop of one, whatever the width of the bins', () => {
    // One request after the other: 30 % of each in prefill. No bin is entirely busy.
    const holdsOfPrefill: Holds = Array.from({ length: 60 }, (_, i) => ({ from: i * 10, length: 3, height: 1 }))
    const tokens: Holds = holdsOfPrefill.map((h) => ({ ...h, height: 7 }))
    const coarse = { exactSteps: 4, timeBins: 16 }
    const scale = 1e5
    const during = curveOf(holdsOfPrefill, coarse, scale).steps()
    const found = curveStatistics([{ steps: curveOf(tokens, coarse, scale).steps(), during, startNs: 0, endNs: 600 * scale }])!
    expect(during.resolutionNs).toBeGreaterThan(10 * scale)
    expect(found.avg).toBeCloseTo(7, 6)
  })

  it('leave no residue of what was added and taken away', () => {
    const curve = new Curve(EXACT, 0)
    for (let i = 0; i < 1000; i++) {
      curve.add(i, 0.1 * i + 1 / 3)
      curve.add(i + 5, -(0.1 * i + 1 / 3))
    }
    const { values, length } = curve.steps()
    expect(values[length - 1]).toBe(0)
  })

  it('ignore what has no value', () => {
    const curve = new Curve(EXACT, 0)
    curve.add(Number.NaN, 1)
    curve.add(1, Number.NaN)
    curve.add(1, 0)
    expect(curve.steps().length).toBe(0)
  })
})

describe('sorting by time', () => {
  it('keeps every pair, in order', () => {
    const times = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 2000 }),
      // Almost all in one place, a few far away.
      fc.array(fc.oneof({ weight: 50, arbitrary: fc.integer({ min: 0, max: 100 }) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 1e15 }) }), { maxLength: 2000 }),
    )
    fc.assert(
      fc.property(times, (list) => {
        const deltas = Float64Array.from(list, (_, i) => i)
        const sorted = sortByTime(Float64Array.from(list), deltas)
        expect([...sorted.times]).toEqual(list.toSorted((a, b) => a - b))
        expect([...sorted.deltas].toSorted((a, b) => a - b)).toEqual([...deltas])
        sorted.deltas.forEach((i, place) => expect(list[i]).toBe(sorted.times[place]))
      }),
      { numRuns: 60 },
    )
  })
})
