import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DatasetReport, openSource, readHead } from '@aiperf/core/host'
import { fileOf, jsonLines, loadDataset, makeLoader } from '../../test/loadDataset.js'
import mooncake from '../mooncake-trace.js'
import { analyzeTrace, traceFormatOf } from './analyze.js'
import { LruCurve } from './lruCurve.js'
import { summaryOf } from './summary.js'
import { synthesizeAgenticCode } from './synthesize.js'
import { validateDataset } from './validate.js'

async function analyse(content: string, blockSize?: number) {
  const path = fileOf('trace.jsonl', content)
  const report = new DatasetReport('fail')
  const analysis = await analyzeTrace(openSource({ path }, report), traceFormatOf(await readHead(path)), report, blockSize)
  report.finish()
  return analysis
}

describe('analysis of a trace', () => {
  const rows = jsonLines(
    { timestamp: 0, input_length: 30, output_length: 4, hash_ids: [1, 2, 3], session_id: 'a' },
    { timestamp: 1000, input_length: 25, output_length: 6, hash_ids: [1, 2, 4] },
    { timestamp: 3000, input_length: 10, output_length: 8, hash_ids: [7] },
    { delay: 5, input_length: 20, output_length: 2, hash_ids: [1, 9], session_id: 'a' },
  )

  it('counts prefixes, groups, hits and lengths as defined', async () => {
    const analysis = await analyse(rows, 10)
    // Prefixes: 1, 12, 123, 124, 7, 19; hits: 0 of 3, 2 of 3, 0 of 1, 1 of 2.
    expect(analysis).toMatchObject({ total_requests: 4, unique_prefixes: 6, num_prefix_groups: 1, cache_hit_rate: 3 / 9, prefix_cache_hit_rate: 3 / 9, prefix_cache_token_hit_rate: 30 / 85, prefix_reuse_ratio: 5 / 9, min_isl: 10, max_isl: 30, avg_isl: 21.25, avg_osl: 5, block_size: 10 })
    // Tokens of (place, id) pairs that come more than once: 20, 20, 0, 10.
    expect(analysis.context_length_stats).toMatchObject({ mean: 12.5, max: 20, min: 0 })
    expect(analysis.unique_prompt_length_stats).toMatchObject({ mean: 8.75 })
    expect(analysis.hit_rate_stats?.mean).toBeCloseTo((0 + 2 / 3 + 0 + 1 / 2) / 4)
    expect(analysis.sessions).toMatchObject({ count: 3, turns_stats: { max: 2 } })
    expect(analysis.arrivals).toMatchObject({ duration_s: 3, rate_per_s: 2 / 3 })
    expect(analysis.working_set.at(-1)).toEqual({ requests: 4, blocks: 6 })
    expect(analysis.lru_hit_rates.at(-1)).toMatchObject({ blocks: 6, hit_rate: 3 / 9 })
  })

  it('understands Bailian traces, in the order of their times', async () => {
    const analysis = await analyse(jsonLines(
      { chat_id: 1, parent_chat_id: -1, timestamp: 0, input_length: 32, output_length: 3, turn: 1, hash_ids: [5, 6] },
      { chat_id: 2, parent_chat_id: 1, timestamp: 4, input_length: 48, output_length: 3, turn: 2, hash_ids: [5, 6, 7] },
    ))
    expect(analysis).toMatchObject({ block_size: 16, cache_hit_rate: 2 / 5, sessions: { count: 1 }, arrivals: { duration_s: 4 } })
  })

  it('names bad lines and files that are no traces', async () => {
    await expect(analyse('{"input_length": 5}\n{"input_length": 0}\n')).rejects.toThrow('line 2: input_length')
    await expect(analyse('{"text": "x"}\n')).rejects.toThrow('no trace that can be analysed')
  })
})

describe('cache sizes', () => {
  /** A least-recently-used cache, played through block by block. */
  function played(requests: number[][], size: number): number {
    let cache: number[] = []
    let hits = 0
    for (const blocks of requests) {
      let run = 0
      while (run < blocks.length && cache.includes(blocks[run]!)) run++
      hits += run
      for (const block of [...blocks].reverse()) cache = [...cache.filter((held) => held !== block), block].slice(-size)
    }
    return hits
  }

  it('have the hits that a cache of that size has', () => {
    // Blocks of a chain: a block is only ever used behind the blocks before it.
    const chain = fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 4 })).map(([tree, length]) => Array.from({ length }, (_, at) => tree * 10 + at))
    fc.assert(fc.property(fc.array(chain, { maxLength: 40 }), fc.integer({ min: 4, max: 20 }), (requests, size) => {
      const curve = new LruCurve()
      for (const blocks of requests) curve.use(blocks)
      expect(Math.round(curve.hitRate(size) * curve.blocks)).toBe(played(requests, size))
    }))
  })
})

it('percentiles are interpolated, deviations those of the population', () => {
  expect(summaryOf([4, 1, 3, 2])).toEqual({ mean: 2.5, std_dev: Math.sqrt(1.25), min: 1, p25: 1.75, median: 2.5, p75: 3.25, max: 4 })
  expect(summaryOf([])).toBeUndefined()
})

describe('made-up traces of coding agents', () => {
  const request = { sessions: 30, config: 'default', seed: 42, now: new Date('2025-01-02T03:04:05Z') }
  const lines = (folder: string) => readFileSync(join(folder, 'dataset.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)

  it('are written with what describes them, and can be loaded', async () => {
    const { folder, analysis } = await synthesizeAgenticCode({ ...request, output: mkdtempSync(join(tmpdir(), 'aiperf-synth-')) })
    expect(folder).toMatch(/default_30s_seed42_20250102T030405Z$/)
    expect(readdirSync(folder).sort()).toEqual(['cache_explorer.html', 'comparison.txt', 'dataset.jsonl', 'manifest.json', 'quality.json', 'report.html', 'simulation.html'])
    const rows = lines(folder)
    const firsts = rows.filter((row) => 'timestamp' in row)
    expect(firsts).toHaveLength(30)
    expect(firsts.every((row) => row['timestamp'] === 0 && 'group_id' in row && typeof row['is_restart'] === 'boolean')).toBe(true)
    expect(rows.filter((row) => !('timestamp' in row)).every((row) => typeof row['delay'] === 'number')).toBe(true)
    expect(analysis.cache_hit_rate).toBeGreaterThan(0.5)
    const { sessions } = await loadDataset(mooncake, join(folder, 'dataset.jsonl'), { fixedSchedule: true })
    expect(sessions).toHaveLength(30)
  })

  it('keep their limits and are the same for the same seed', async () => {
    const make = async (limits: object) => lines((await synthesizeAgenticCode({ ...request, ...limits, output: mkdtempSync(join(tmpdir(), 'aiperf-synth-')) })).folder)
    const rows = await make({})
    expect(await make({})).toEqual(rows)
    expect(rows.every((row) => (row['output_length'] as number) >= 30 && (row['output_length'] as number) <= 1500)).toBe(true)
    const limited = await make({ maxIsl: 4000, maxOsl: 100 })
    expect(limited.every((row) => (row['input_length'] as number) <= 4000 && (row['output_length'] as number) <= 100)).toBe(true)
  })

  it('may be made by a model of the user', async () => {
    const config = fileOf('mine.json', JSON.stringify({ sharedTokens: 1024, contextLimit: 20_000 }))
    const { folder } = await synthesizeAgenticCode({ ...request, config, output: mkdtempSync(join(tmpdir(), 'aiperf-synth-')) })
    expect(folder).toMatch(/mine_30s/)
    await expect(synthesizeAgenticCode({ ...request, config: fileOf('bad.json', '{"sharedToken": 1}'), output: '.' })).rejects.toThrow('sharedToken means nothing')
    await expect(synthesizeAgenticCode({ ...request, config: 'nonesuch', output: '.' })).rejects.toThrow('nonesuch')
  })
})

it('a dataset is validated line by line, without making prompts', async () => {
  const path = fileOf('x.jsonl', `${jsonLines({ timestamp: 0, input_length: 700, hash_ids: [1, 2] }, { input_length: 20, hash_ids: [3, 4] })}{"broken\n${jsonLines({ input_length: 3, ouput_length: 5 })}`)
  const unused = new Proxy({}, { get: (_, key) => (key === 'then' ? undefined : () => 1) })
  const validation = await validateDataset(await makeLoader(mooncake, { tokenizer: unused as never }), (report) => openSource({ path }, report))
  expect(validation).toMatchObject({ valid: false, sessions: 2, turns: 2, turnsWithTimestamp: 1, inputTokens: 703, badCount: 2 })
  expect(validation.bad.map((bad) => bad.line)).toEqual([2, 3])
  expect(validation.warnings).toEqual([expect.stringContaining('did you mean "output_length"')])
})
