import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Schedule, type Timed } from './schedule.js'

const timed = (dueMs: number): Timed => ({ dueMs, cancelled: false, fire: () => false })

test('whatever is pushed, popped and moved, the earliest is first', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), ms: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ kind: fc.constant('pop' as const), ms: fc.constant(0) }),
    fc.record({ kind: fc.constant('move' as const), ms: fc.integer({ min: 0, max: 50 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const schedule = new Schedule()
      const kept: Timed[] = []
      for (const { kind, ms } of steps) {
        const first = schedule.peek()
        if (kind === 'push') kept.push(push(schedule, ms))
        else if (first && kind === 'pop') kept.splice(kept.indexOf(take(schedule, first)), 1)
        else if (first) {
          first.dueMs += ms
          schedule.moved()
        }
        expect(schedule.size).toBe(kept.length)
        expect(schedule.peek()?.dueMs ?? 0).toBe(kept.length === 0 ? 0 : Math.min(...kept.map((item) => item.dueMs)))
      }
    }),
  )
})

function push(schedule: Schedule, ms: number): Timed {
  const item = timed(ms)
  schedule.push(item)
  return item
}

function take(schedule: Schedule, first: Timed): Timed {
  schedule.pop()
  return first
}
