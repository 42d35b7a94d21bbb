import { describe, expect, test } from 'vitest'
import { snapshot } from '../../test-support/snapshots.js'
import { UNICODE } from './glyphs.js'
import { chart, rangeOf, sparkline } from './chart.js'
import { LiveModel } from './model.js'

test('a series has one value per half second, and begins anew with the phase', () => {
  const model = new LiveModel()
  for (let ms = 0; ms < 5000; ms += 100) model.update(snapshot({ achievedPerSecond: ms }), ms)
  expect(model.series('rate')).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500])
  model.update(snapshot({ phase: 'second', achievedPerSecond: 7 }), 5000)
  expect(model.series('rate')).toEqual([7])
})

test('what was measured lately is drawn, not the percentile of the whole phase; nothing measured leaves no point', () => {
  const model = new LiveModel()
  model.update(snapshot({ recent: { ttft: 80 } }), 0)
  model.update(snapshot({ recent: {} }), 500)
  model.update(snapshot({ recent: { ttft: 20 } }), 1000)
  expect(model.series('ttft')).toEqual([80, 20])
})

test('the log keeps the last 2,000 lines, each on one line of 500 characters without control codes', () => {
  const model = new LiveModel()
  model.add('error', `\x1b[31m${'x'.repeat(600)}\x1b[0m\nsecond\tline`, new Date(0))
  expect(model.log.map((e) => e.message)).toEqual(['x'.repeat(500), 'second line'])
  for (let i = 0; i < 2500; i++) model.add('info', String(i), new Date(0))
  expect([model.log.length, model.log[0]!.message, model.log.at(-1)!.message]).toEqual([2000, '500', '2499'])
})

describe('pictures of a series', () => {
  test('a sparkline shows the last values, from the least to the largest', () => {
    expect(sparkline([9, 0, 10, 20, 30], 4, UNICODE)).toBe('▁▃▅▇')
    expect(sparkline([1, 2], 0, UNICODE)).toBe('')
  })

  test('noise stays small: what moves by less than a fifth does not fill the height', () => {
    expect(rangeOf([100, 101])).toEqual({ low: 90.4, high: 110.6 })
    expect(sparkline([100, 101, 100], 3, UNICODE)).toBe('▄▄▄')
    expect(sparkline([0, 0], 2, UNICODE)).toBe('▁▁')
  })

  test('a chart is as wide and high as asked, and a line without gaps', () => {
    const rows = chart([0, 100, 0, 50], 10, 4, UNICODE)
    expect(rows.map((r) => r.length)).toEqual([10, 10, 10, 10])
    for (let column = 0; column < 10; column++) expect(rows.map((r) => r[column]).join('').trim()).not.toBe('')
  })
})
