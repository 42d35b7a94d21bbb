import { describe, expect, it } from 'vitest'
import type { DerivedMetric, Metric, RecordMetric } from '@aiperf/core'
import { orderMetrics } from './order.js'

const record = (tag: string, more: Partial<RecordMetric> = {}): RecordMetric => ({ kind: 'record', tag, header: tag, unit: 'ms', description: tag, compute: () => 1, ...more })
const derived = (tag: string, more: Partial<DerivedMetric> = {}): DerivedMetric => ({ kind: 'derived', tag, header: tag, unit: 'ms', description: tag, compute: () => 1, ...more })
const error = (metrics: readonly Metric[]): { code: string; message: string; hint: string } => {
  try {
    orderMetrics(metrics)
  } catch (e) {
    return e as { code: string; message: string; hint: string }
  }
  throw new Error('no error')
}

describe('order of evaluation', () => {
  it('puts each metric after those it reads, records before what is made of them', () => {
    const metrics = [
      derived('d', { requires: ['e', 'b'] }),
      derived('e', { optional: ['c', 'not installed'] }),
      record('c', { requires: ['b'] }),
      record('b', { requires: ['a'] }),
      record('a'),
    ]
    expect(orderMetrics(metrics).map((m) => m.tag)).toEqual(['a', 'b', 'c', 'e', 'd'])
  })

  it('names every metric of a cycle', () => {
    const { code, message } = error([record('a', { requires: ['b'] }), record('b', { requires: ['c'] }), record('c', { requires: ['a'] })])
    expect(code).toBe('E_PLUGIN_SHAPE')
    expect(message).toContain('a → b → c → a')
  })

  it('names what is required and not there, and what it may have meant', () => {
    const { message, hint } = error([record('time_to_first_token'), record('x', { requires: ['time_to_first_tokens'] })])
    expect(message).toContain('"x" requires "time_to_first_tokens"')
    expect(hint).toContain('"time_to_first_token"')
  })

  it('refuses a tag twice, a record metric of a run-level one, and units without a way between them', () => {
    expect(error([record('a'), derived('a')]).message).toContain('Two metrics have the tag "a"')
    expect(error([record('a', { requires: ['d'] }), derived('d')]).message).toContain('known only after it')
    expect(error([record('a', { unit: 'ns', displayUnit: 'KB' })]).message).toContain('no conversion')
  })
})
