import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '@aiperf/core'
import { MemoryDir } from '../../test/artifact-dir.js'
import { failedRun, typicalRun, warmedRun } from '../../test/typical.js'
import consoleExporter from '../console.js'
import consoleText from '../console-text.js'
import { textWidth, wrap } from './text.js'

async function printed(run: RunResult, options: ConstructorParameters<typeof MemoryDir>[0] = {}): Promise<string> {
  const dir = new MemoryDir(options)
  await (await consoleExporter.create({ options: {} } as never)).write(run, dir)
  return dir.printed
}
const doubtful = () =>
  typicalRun((run) => {
    run.verdict = { verdict: 'suspect', reasons: [{ code: 'too-few-samples', level: 'suspect', message: 'p99 of TTFT rests on 37 values', value: 37, threshold: 473 }, { code: 'no-warmup', level: 'note', message: 'no warm-up phase ran' }] }
    run.profiling.metrics.get('time_to_first_token')!.withheld = { p99: 473 }
    run.profiling.absent = [{ tag: 'request_throughput', reason: 'the window has no length' }, { tag: 'video_peak_memory', reason: 'the endpoint makes no video' }]
  })

describe('console', () => {
  test('golden: 100 columns', async () => {
    await expect(await printed(typicalRun(), { columns: 100 })).toMatchFileSnapshot('../../test/golden/console-100.txt')
  })

  test('golden: no request succeeded', async () => {
    await expect(await printed(failedRun(), { columns: 100 })).toMatchFileSnapshot('../../test/golden/console-failed.txt')
  })

  test('golden: verbose, with doubts', async () => {
    await expect(await printed(doubtful(), { columns: 120, verbose: true })).toMatchFileSnapshot('../../test/golden/console-verbose.txt')
  })

  test('verdict and counts come before any table', async () => {
    const text = await printed(doubtful())
    const table = text.indexOf('┏')
    expect(table).toBeGreaterThan(0)
    for (const early of ['SUSPECT', '(too-few-samples)', '37 succeeded', '3 failed']) expect(text.indexOf(early)).toBeLessThan(table)
  })

  test('a percentile that the sample cannot carry is not shown', async () => {
    const withheld = await printed(doubtful())
    const row = withheld.split('\n').find((line) => line.includes('Time to First Token (ms)'))!
    const p99 = typicalRun().profiling.metrics.get('time_to_first_token')!.p99!
    expect(row).toContain('n<473')
    expect(row).not.toContain(p99.toPrecision(4))
    expect(withheld).toContain('n<K')
  })

  test('further groups of metrics appear with --verbose, HTTP also with --show-trace-timing', async () => {
    const [brief, verbose] = [await printed(typicalRun()), await printed(typicalRun(), { verbose: true })]
    expect(brief).not.toMatch(/Effective|Usage|HTTP/)
    expect(verbose).toMatch(/Effective Concurrency/)
    expect(verbose.indexOf('LLM Metrics\n')).toBeLessThan(verbose.indexOf('LLM Metrics: Usage'))
    expect(await printed(typicalRun((run) => { run.output.showTraceTiming = true }))).toContain('HTTP Waiting')
  })

  test('metrics of failures are no rows of the tables', async () => {
    const run = typicalRun()
    run.profiling.metrics.get('error_request_count')!.group = 'default'
    expect(await printed(run)).not.toContain('Error Request Count')
  })

  test('what was not measured is explained', async () => {
    expect(await printed(doubtful())).toContain('Not measured: Request Throughput (the window has no length); 1 more, see "absent" in the JSON summary.')
    expect(await printed(doubtful(), { verbose: true })).toContain('video_peak_memory (the endpoint makes no video)')
  })

  test('metrics that need an absent one are listed under its reason', async () => {
    const text = await printed(failedRun((run) => {
      run.profiling.absent = [{ tag: 'request_throughput', reason: 'needs request_count: no request succeeded' }, { tag: 'output_token_throughput', reason: 'needs total_osl: needs output_sequence_length: no request succeeded' }, { tag: 'request_latency', reason: 'no request succeeded' }]
      run.profiling.steady = { startNs: 0, endNs: 1e9, metrics: new Map() }
    }))
    expect(text).toContain('Not measured: Request Throughput, Output Token Throughput, Request Latency (no request succeeded).')
    expect(text).not.toMatch(/Steady|n<K/)
  })

  test('fits the terminal from 64 columns on', async () => {
    for (const run of [typicalRun(), warmedRun(), failedRun(), doubtful()])
      for (const columns of [64, 80, 100, 119, 200])
        for (const line of (await printed(run, { columns, verbose: true })).split('\n')) expect(textWidth(line), line).toBeLessThanOrEqual(columns)
  })

  test('colour changes nothing but colour, and there is none without it', async () => {
    for (const run of [doubtful(), failedRun()]) {
      const colored = await printed(run, { color: true })
      const plain = await printed(run)
      expect(colored).not.toBe(plain)
      expect(plain).toBe(stripVTControlCharacters(plain))
      expect(stripVTControlCharacters(colored).replace(/^ (VALID|SUSPECT|INVALID) /m, '[$1]')).toBe(plain)
    }
  })

  test('a message of the server cannot move the cursor', async () => {
    const error = { code: 500, type: 'Internal Server Error', message: 'line one\nline two\u001B[2J\u009B2Jthe end', category: 'http_error' as const }
    const text = await printed(typicalRun((run) => { run.profiling.errors = [{ error, count: 2 }] }), { columns: 200 })
    expect(text).toContain('line one line two [2J 2Jthe end')
    expect([...text].filter((character) => character === '\u001B' || character === '\u009B')).toEqual([])
  })

  test('a message is never cut', async () => {
    const message = 'the model is overloaded '.repeat(20).trim()
    const text = await printed(typicalRun((run) => { run.profiling.errors = [{ error: { type: 'Overloaded', message, category: 'http_error' }, count: 2 }] }), { columns: 80 })
    const words = text.slice(text.indexOf('Error Summary')).match(/overloaded/g)
    expect(words).toHaveLength(20)
  })

  test('tables of other plugins come after ours', async () => {
    const text = await printed(typicalRun((run) => { run.additions = { tables: [{ title: 'GPU 0', columns: ['Metric', 'avg'], rows: [['Power (W)', '512.2']], before: ['1/1 sources reachable'] }] } }))
    expect(text.indexOf('LLM Metrics')).toBeLessThan(text.indexOf('1/1 sources reachable'))
    expect(text).toMatch(/│ Power \(W\) │ 512.2 │/)
  })

  test('an interrupted or unfinished run says so', async () => {
    expect(await printed(typicalRun((run) => { run.manifest.wasCancelled = true }))).toContain('INTERRUPTED')
    expect(await printed(typicalRun((run) => { run.manifest.complete = false; run.manifest.incompleteReason = 'the journal ends before the run' }))).toContain('INCOMPLETE the journal ends before the run')
  })

  test('a run with several profiling phases lists them', async () => {
    const text = await printed(warmedRun((run) => {
      run.phases[0]!.info.kind = 'profiling'
      delete run.warmup
    }))
    expect(text).toContain('AIPerf | Phases')
    expect(await printed(warmedRun())).not.toContain('AIPerf | Phases')
  })

  test('speculative decoding: the share of steps by the tokens they accepted, eight and more together', async () => {
    const text = await printed(typicalRun((run) => {
      const tally = { tag: 'spec_decode_acceptance_histogram', header: 'Accepted Drafts per Step', unit: 'count', group: 'none', kind: 'aggregate', internal: true, tally: [50, 0, 30, 0, 0, 0, 0, 0, 5, 15] } as const
      run.profiling.metrics.set(tally.tag, tally)
    }))
    expect(text).toContain('Accepted drafts per step (% of steps): 0: 50% · 1: 0% · 2: 30%')
    expect(text).toContain('>=8: 20%')
  })

  test('there is no trace of values that do not exist', async () => {
    for (const run of [typicalRun(), failedRun(), doubtful()]) expect(await printed(run, { verbose: true })).not.toMatch(/NaN|Infinity|undefined|null/)
  })

  test('--output json prints the JSON summary alone', async () => {
    const parsed = JSON.parse(await printed(doubtful(), { output: 'json' })) as Record<string, unknown>
    expect(parsed).toMatchObject({ schema_version: '1.4', verdict: { verdict: 'suspect' } })
  })
})

test('profile_export_console.txt is the verbose console of a fixed width without colour', async () => {
  const dir = new MemoryDir({ columns: 20, color: true, prefix: 'foo' })
  await (await consoleText.create({ options: { width: 140 } } as never)).write(typicalRun(), dir)
  expect(dir.files.get('foo_console.txt')).toBe(await printed(typicalRun(), { columns: 140, verbose: true }))
  expect(dir.printed).toBe('')
})

describe('text', () => {
  test('wrapped lines hold all words within the width', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '漢', '😀') }), fc.integer({ min: 2, max: 20 }), (text, width) => {
      const lines = wrap(text, width)
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }))
  })
})
