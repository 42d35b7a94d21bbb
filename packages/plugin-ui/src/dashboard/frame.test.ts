import type { LiveSnapshot } from '@aiperf/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anySnapshot, snapshot } from '../../test-support/snapshots.js'
import { widthOf } from '../text.js'
import { frame } from './frame.js'
import { ASCII, UNICODE } from './glyphs.js'
import { LiveModel, type View } from './model.js'
import { painter } from './paint.js'

const VIEWS: View[] = ['overview', 'progress', 'metrics', 'workers', 'telemetry', 'log', 'errors']
const plain = painter(1)
const textOf = (model: LiveModel, columns = 120, rows = 40, glyphs = UNICODE) =>
  frame(model, 'chat · my-model', columns, rows, glyphs)
    .map((line) => line.map(([text]) => text).join(''))
    .join('\n')

function seen(...snapshots: Partial<LiveSnapshot>[]) {
  const model = new LiveModel()
  snapshots.forEach((more, i) => model.update(snapshot(more), i * 500))
  return model
}

test('a small screen shows latencies before a log', () => {
  expect(textOf(seen({}), 40, 15)).toMatch(/TTFT +52\.1 +60\.3 +80\.2/)
})

describe('the numbers of the run stand in the frame', () => {
  const text = textOf(seen({}))
  test.each([
    ['amount and end', '1,234 / 2,468 requests'],
    ['share', '50 %'],
    ['time so far', '1:15'],
    ['time left', '1:15 left'],
    ['sent', /sent +1,266/],
    ['in flight', /in flight +32/],
    ['sessions', /sessions +30/],
    ['offered rate', /offered\/s +50\.0/],
    ['achieved rate', /achieved\/s +49\.9/],
    ['errors', /errors +3 \(0\.2 %\)/],
    ['TTFT', /TTFT +52\.1 +60\.3 +80\.2/],
    ['ITL', /ITL +5\.04 +5\.31 +7\.10/],
    ['latency', /latency +310 +352 +1,413/],
    ['lag', /lag +0\.08 +0\.20 +0\.61/],
    ['lag gauge', /lag p99 +0\.61 ms .*on time/],
    ['tokens', /output +12,345 tokens\/s/],
    ['errors by kind', /2 +HTTP 503 +the queue is full/],
    ['last message', /1 +incomplete +no finish reason/],
    ['worker 1', /1 +16 +633 +617 +2 +3\.2 MiB .*53 %/],
    ['telemetry', /GPU 0 power +640 W/],
    ['keys', '1 overview 2 progress 3 metrics 4 workers 5 telemetry 6 log e errors l hide log c copy log q leave ^C end run'],
  ])('%s', (_what, expected) => expect(text).toMatch(expected))
})

test('every frame fills the screen exactly, whatever the numbers, texts, size and view', () => {
  fc.assert(
    fc.property(
      fc.array(anySnapshot, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 170 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom(...VIEWS),
      fc.constantFrom(UNICODE, ASCII),
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }),
      fc.boolean(),
      (snapshots, columns, rows, view, glyphs, log, logShown) => {
        const model = new LiveModel()
        snapshots.forEach((s, i) => model.update(s, i * 600))
        for (const message of log) model.add('warn', message, new Date(0))
        Object.assign(model, { view, logShown })
        const lines = frame(model, 'title', columns, rows, glyphs).map((line) => line.map(([text]) => text).join(''))
        expect(lines).toHaveLength(rows)
        for (const line of lines) {
          expect(widthOf(line)).toBe(columns)
          // oxlint-disable-next-line no-control-regex
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('ASCII glyphs draw with ASCII alone', () => {
  const model = seen({}, {}, {})
  // oxlint-disable-next-line no-control-regex
  for (const view of VIEWS) expect(textOf(Object.assign(model, { view }), 120, 50, ASCII).replaceAll('·', '').replaceAll('–', '')).toMatch(/^[\x20-\x7e\n]*$/)
})

test('what does not fit makes room for what matters: progress and metrics stay, errors come before workers', () => {
  const at = (columns: number, rows: number) => textOf(seen({}), columns, rows)
  expect(at(80, 24)).toMatch(/progress[\s\S]*metrics[\s\S]*HTTP 503/)
  expect(at(80, 24)).not.toContain('workers ─')
  expect(at(60, 18)).toMatch(/1,234 \/ 2,468[\s\S]*TTFT/)
  expect(at(40, 11)).toMatch(/1,234 \/ 2,468[\s\S]*errors 3 \(0\.2 %\)/)
  expect(at(20, 4)).toContain('32 in flight 3 erro…')
})

test('no colour: no colour codes, and warnings are said in words', () => {
  const model = seen({ latency: { lag: { p50: 5, p90: 30, p99: 80 }, ttft: { p50: 50, p90: 60, p99: 70 } } })
  const painted = frame(model, 'title', 100, 40, UNICODE).map(plain).join('\n')
  // oxlint-disable-next-line no-control-regex
  expect(painted.match(/\x1b\[[\d;]*m/g)?.every((code) => code === '\x1b[1m' || code === '\x1b[0m')).toBe(true)
  expect(painted).toMatch(/▲ requests leave late: lag p99 80\.0 ms/)
  expect(painted).toMatch(/late/)
})

test('phases that are over stay listed, with how they ended', () => {
  const model = seen({ stage: 'preparing', phase: '', preparing: { what: 'tokenizer', done: 7, total: 7 } }, { stage: 'warmup', phase: 'warmup', completed: 10, expected: { requests: 10 }, elapsedSeconds: 3 }, {})
  expect(textOf(model)).toMatch(/✓ tokenizer +7 \/ 7[\s\S]*✓ warmup +10 \/ 10 requests +0:03[\s\S]*▸ profiling/)
})

test('while the run is prepared, what is done of what', () => {
  const text = textOf(seen({ stage: 'preparing', phase: '', preparing: { what: 'prompts', done: 500, total: 2000 } }))
  expect(text).toMatch(/prompts +500 \/ 2,000/)
  expect(text).toContain('25 %')
  expect(text).not.toContain('metrics ─')
})

test('the grace period says what it waits for', () => {
  expect(textOf(seen({}, { stage: 'grace', inFlight: 7 }))).toContain('waiting for 7 in flight')
})

test('a sweep shows its place, its point and the best so far', () => {
  expect(textOf(seen({ sweep: { done: 2, total: 8, point: 'concurrency 16', best: '812 tokens/s at 8' } }))).toMatch(/3 of 8 · concurrency 16 +best 812 tokens\/s at 8/)
  const narrow = textOf(seen({ sweep: { done: 2, total: 8, point: 'concurrency 16', best: '812 tokens/s at 8' } }), 50, 20)
  expect(narrow).toMatch(/3 of 8 · concurrency 16 +best 812 tokens\/s at 8[\s\S]*TTFT/)
})

test('while files are written the last numbers of the phase stay', () => {
  const text = textOf(seen({}, { stage: 'exporting', phase: '', sent: 0, completed: 0, achievedPerSecond: 0, latency: {}, errorClasses: [], expected: {} }))
  expect(text).toMatch(/▸ writing files[\s\S]*ended +1,234/)
  expect(text).toMatch(/in flight +0/)
  expect(text).toMatch(/TTFT +52\.1/)
})

test('a long line of telemetry has the whole width, and a blank after its name', () => {
  const value = '24 running · 0 waiting · KV 12 % · 18,125 prompt tokens/s · 7,996 output tokens/s'
  expect(textOf(seen({ telemetry: [{ source: 'server', label: 'vLLM', value }] }))).toMatch(new RegExp(`vLLM +${value.replaceAll('/', '\\/')}`))
  expect(textOf(seen({ telemetry: [{ source: 'server', label: 'vLLM', value }] }), 60, 40)).toMatch(/vLLM 24 running/)
})

test('the log scrolls, and says that it does', () => {
  const model = seen({})
  for (let i = 0; i < 100; i++) model.add('info', `line ${i}`, new Date(0))
  model.view = 'log'
  expect(textOf(model, 60, 20)).toContain('line 99')
  model.logOffset = 50
  expect(textOf(model, 60, 20)).toMatch(/scrolled[\s\S]*line 49/)
  expect(textOf(model, 60, 20)).not.toContain('line 50')
  model.logOffset = 1000
  expect(textOf(model, 60, 20)).toContain('line 0')
})
