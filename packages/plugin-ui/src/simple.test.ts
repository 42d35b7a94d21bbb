import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { snapshot } from '../test-support/snapshots.js'
import none from './none.js'
import simple from './simple.js'

/** A stream that keeps what was written; `columns` makes it a terminal. */
function stream(columns?: number) {
  const written: string[] = []
  const out = new PassThrough().on('data', (chunk) => written.push(String(chunk)))
  return { written: () => written.join(''), stream: Object.assign(out, columns ? { isTTY: true, columns, hasColors: () => false } : {}) as unknown as NodeJS.WriteStream }
}

function open(contribution: typeof simple, columns?: number) {
  const err = stream(columns)
  const out = stream(columns)
  const ui = contribution.create({ stdout: out.stream, stderr: err.stream, title: 'run', intervalSeconds: 10, interrupt() {} })
  if (ui instanceof Promise) throw new Error('expected a user interface at once')
  return { ui, written: err.written, stdout: out.written }
}

beforeEach(() => {
  vi.stubEnv('CI', '')
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

describe('in a pipe', () => {
  test('one line per interval, one for every change of phase, and the last state at the end', async () => {
    const { ui, written, stdout } = open(simple)
    ui.update(snapshot({ stage: 'preparing', phase: '', preparing: { what: 'prompts', done: 3, total: 9 } }))
    for (let s = 0; s < 30; s++) {
      ui.update(snapshot({ elapsedSeconds: s, completed: s * 10, errors: 0 }))
      vi.advanceTimersByTime(1000)
    }
    ui.update(snapshot({ stage: 'grace', elapsedSeconds: 30, completed: 300, errors: 1 }))
    await ui.close()
    const lines = written().trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toBe('preparing prompts 3 / 9 (33 %)')
    expect(lines[1]).toMatch(/^profiling 0 \/ 2,468 requests \(0 %\) · 0:00 · /)
    expect(lines[2]).toBe('profiling 100 / 2,468 requests (4 %) · 0:10, 3:57 left · 49.9 req/s · no errors · TTFT 52.1 ms · ITL 5.04 ms · latency 310 ms · 32 in flight')
    expect(lines[4]).toMatch(/^profiling, last replies 300 \/ 2,468 .*1 error \(0\.3 %\)/)
    // oxlint-disable-next-line no-control-regex
    expect(written()).not.toMatch(/[\r\x1b]/)
    expect(stdout()).toBe('')
  })

  test('what says the same again is not written again, and only requests have figures', async () => {
    const { ui, written } = open(simple)
    const prepare = snapshot({ stage: 'preparing', phase: '', preparing: { what: 'prompts', done: 9, total: 9 } })
    for (let i = 0; i < 5; i++, vi.advanceTimersByTime(11_000)) ui.update(prepare)
    ui.update(snapshot({ stage: 'records', phase: '' }))
    ui.update(snapshot({ stage: 'exporting', phase: '' }))
    await ui.close()
    expect(written()).toBe('preparing prompts 9 / 9 (100 %)\nreading records\nwriting files\n')
  })

  test('a terminal in CI is a pipe', () => {
    vi.stubEnv('CI', 'true')
    const { ui, written } = open(simple, 80)
    ui.update(snapshot())
    expect(written()).toMatch(/^profiling .*\n$/)
  })
})

describe('on a terminal', () => {
  test('one line that is written over, never wider than the terminal', () => {
    const { ui, written } = open(simple, 72)
    ui.update(snapshot({ completed: 617 }))
    ui.update(snapshot())
    const states = written().split('\r').slice(1).map((s) => s.replace('\x1b[K', ''))
    expect(states).toHaveLength(2)
    expect(states[1]).toMatch(/^profiling ▕█{10} {10}▏ 50 % · 1,234 \/ 2,468/)
    for (const state of states) expect(state.length).toBeLessThan(72)
  })

  test('wide enough, it has rate, time left, latency and errors', () => {
    const { ui, written } = open(simple, 200)
    ui.update(snapshot())
    expect(written()).toContain('50 % · 1,234 / 2,468 requests · 1:15, 1:15 left · 49.9 req/s · 3 errors (0.2 %) · TTFT 52.1 ms · ITL 5.04 ms · latency 310 ms')
  })

  test('a phase that is over keeps its line; log lines go above the one that moves', async () => {
    const { ui, written } = open(simple, 80)
    ui.update(snapshot({ stage: 'warmup', phase: 'warmup' }))
    ui.update(snapshot())
    ui.log('warn', 'careful')
    await ui.close()
    const shown = written().replaceAll('\x1b[K', '').split('\n').map((line) => line.split('\r').at(-1))
    expect(shown[0]).toMatch(/^warmup /)
    expect(shown[1]).toBe('warn: careful')
    expect(shown[2]).toMatch(/^profiling /)
  })
})

test('none: log lines alone', async () => {
  const { ui, written, stdout } = open(none, 80)
  ui.update(snapshot())
  ui.log('info', 'hello')
  ui.log('error', 'bad \x1b[2J thing')
  await ui.close()
  expect(written()).toBe('hello\nerror: bad  thing\n')
  expect(stdout()).toBe('')
})
