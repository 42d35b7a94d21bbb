import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildIndex } from '@aiperf/core/host'
import { syntheticRun } from '../../test/synthetic-run.js'
import { findRuns } from './find.js'
import { differingFacts, labelRuns } from './label.js'
import { readRuns, type ReadContext } from './read.js'

const reference = join(import.meta.dirname, '../../test/reference')
const packages = join(import.meta.dirname, '../../..')
const index = buildIndex(['plugin-metrics', 'plugin-report'].map((name) => ({ directory: join(packages, name), origin: 'bundled' as const })))
const never = (): never => {
  throw new Error('there is no journal here')
}
function context(): ReadContext & { warnings: string[] } {
  const warnings: string[] = []
  return { index, open: never, warn: (message) => void warnings.push(message), warnings }
}
const folder = (): string => mkdtempSync(join(tmpdir(), 'aiperf-report-'))

/** A folder that looks like a run of the reference, by its concurrency. */
function put(at: string, concurrency = 4, sweep?: string): string {
  cpSync(join(reference, 'single'), at, { recursive: true })
  if (sweep !== undefined) writeFileSync(join(at, 'run_config.json'), JSON.stringify({ sweep_id: sweep, variation: { values: { 'phases.profiling.concurrency': concurrency } } }))
  return at
}

describe('finding runs', () => {
  test('below any folder, by path, each once, whatever links lead to them', () => {
    const root = folder()
    put(join(root, 'b'))
    put(join(root, 'a', 'deep'))
    mkdirSync(join(root, 'empty'))
    symlinkSync(join(root, 'b'), join(root, 'latest'))
    symlinkSync(root, join(root, 'a', 'loop'))
    const found = findRuns([root, join(root, 'b')], () => {})
    expect(found.map((f) => f.directory.slice(root.length + 1))).toEqual([join('a', 'deep'), 'b'])
  })

  test('an aggregate counts only where its runs are gone', () => {
    const root = folder()
    put(join(root, 'profile_runs', 'run_0001'))
    cpSync(join(reference, 'repeats'), join(root, 'aggregate'), { recursive: true })
    expect(findRuns([root], () => {}).map((f) => f.kind)).toEqual(['files'])
    const alone = folder()
    cpSync(join(reference, 'repeats'), join(alone, 'aggregate'), { recursive: true })
    expect(findRuns([alone], () => {}).map((f) => f.kind)).toEqual(['aggregate'])
  })

  test('the points of a search count once, though their runs lie in numbered folders', () => {
    const root = folder()
    put(join(root, 'search_iter_0000', 'profile_runs', 'run_0001'), 2)
    cpSync(join(reference, 'repeats'), join(root, 'aggregate', 'concurrency_2'), { recursive: true })
    expect(findRuns([root], () => {}).map((f) => f.kind)).toEqual(['files'])
  })

  test('the file of a sweep stands for its points where their runs are gone', async () => {
    const root = folder()
    mkdirSync(join(root, 'sweep_aggregate'))
    const point = (concurrency: number, mean: number) => ({ parameters: { 'phases.profiling.concurrency': concurrency }, metrics: { request_latency_p99: { mean, min: mean - 9, max: mean + 9, ci_low: mean - 5, ci_high: mean + 5, unit: 'ms' } } })
    writeFileSync(join(root, 'sweep_aggregate', 'profile_export_aiperf_sweep.json'), JSON.stringify({ metadata: { num_trials_per_value: 2 }, per_combination_metrics: [point(16, 80), point(2, 40)] }))
    const { runs, sweep } = await readRuns([root], context())
    expect(sweep).toBe(true)
    expect(runs.map((run) => [run.label, run.facts['concurrency'], run.trials, run.metrics.get('request_latency')?.p99, run.metrics.get('request_latency')?.intervals?.p99])).toEqual([['concurrency 2', 2, 2, 40, [35, 45]], ['concurrency 16', 16, 2, 80, [75, 85]]])
    expect([...runs[0]!.metrics.keys()]).toEqual(['request_latency'])
    put(join(root, 'concurrency_2'), 2)
    expect(findRuns([root], () => {}).map((f) => f.kind)).toEqual(['files'])
  })

  test('a run of which every request failed has no summary', async () => {
    const root = folder()
    const failed = { metadata: { request_start_ns: 1e9, request_end_ns: 2e9, benchmark_phase: 'profiling' }, metrics: {}, error: { type: 'ClientConnectorError', message: 'refused' } }
    writeFileSync(join(root, 'profile_export.jsonl'), `${JSON.stringify(failed)}\n`)
    const [run] = (await readRuns([root], context())).runs
    const table = await run!.requests([])
    expect([table!.count, table!.succeeded[0]]).toEqual([1, 0])
  })

  test('an aggregate of a point beside the runs of other points counts', () => {
    const root = folder()
    put(join(root, 'concurrency_2'))
    for (const cell of ['concurrency_2', 'concurrency_4']) cpSync(join(reference, 'repeats'), join(root, 'aggregate', cell), { recursive: true })
    expect(findRuns([root], () => {}).map((f) => f.directory.slice(root.length + 1))).toEqual([join('aggregate', 'concurrency_4'), 'concurrency_2'])
  })

  test('files with a prefix are a run; what lies in the folders of a run is none', () => {
    const root = folder()
    cpSync(join(reference, 'prefixed'), root, { recursive: true })
    put(join(root, 'phases', 'profiling'))
    expect(findRuns([root], () => {})).toEqual([{ kind: 'files', directory: root, summary: 'foo.json', requests: 'foo.jsonl' }])
  })

  test('a path that is not there, a file, and a folder without runs are errors', async () => {
    const file = join(folder(), 'file')
    writeFileSync(file, '')
    expect(() => findRuns([join(file, 'nowhere')], () => {})).toThrow(/nowhere/)
    expect(() => findRuns([file], () => {})).toThrow(/is a file/)
    await expect(readRuns([folder()], context())).rejects.toThrow(/hold(s)? no run/)
  })
})

describe('reading exported files', () => {
  test('summary, requests and what is known of the run', async () => {
    const { runs, sweep } = await readRuns([join(reference, 'single')], context())
    const [run] = runs
    expect(sweep).toBe(false)
    expect(run!.facts).toMatchObject({ model: 'm', concurrency: 4, endpoint_type: 'chat', streaming: true, run_name: 'single' })
    const summary = JSON.parse(readFileSync(join(reference, 'single/profile_export_aiperf.json'), 'utf8')) as { request_latency: { p99: number; unit: string } }
    expect(run!.metrics.get('request_latency')).toMatchObject({ p99: summary.request_latency.p99, unit: 'ms', header: 'Request Latency' })
    const table = (await run!.requests(['request_latency', 'inter_chunk_latency_max']))!
    const lines = readFileSync(join(reference, 'single/profile_export.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { metadata: { request_start_ns: number }; metrics: { request_latency: { value: number }; inter_chunk_latency: { value: number[] } } }).sort((a, b) => a.metadata.request_start_ns - b.metadata.request_start_ns)
    expect([...table.values('request_latency')!]).toEqual(lines.map((l) => l.metrics.request_latency.value))
    expect([...table.values('inter_chunk_latency_max')!]).toEqual(lines.map((l) => Math.max(...l.metrics.inter_chunk_latency.value)))
    expect(table.startSeconds[0]).toBe(0)
    expect(run!.largerIsBetter('request_throughput')).toBe(true)
    expect(run!.largerIsBetter('request_latency')).toBe(false)
    expect(run!.about.verdict).toBeUndefined()
  })

  test('warm-up requests are left out, bad lines passed over, slices and server metrics there', async () => {
    const at = folder()
    cpSync(join(reference, 'warmed'), at, { recursive: true })
    writeFileSync(join(at, 'profile_export.jsonl'), `${readFileSync(join(reference, 'warmed/profile_export.jsonl'), 'utf8')}\nno json\n{"metadata":`)
    const [run] = (await readRuns([at], context())).runs
    expect((await run!.requests([]))!.count).toBe(2)
    expect(run!.slices.length).toBeGreaterThan(1)
    expect(run!.slices[0]!.startSeconds).toBe(0)
    const lines = await run!.telemetry()
    expect(lines.map((l) => l.name)).toContain('mock_requests_running')
    expect(lines.every((l) => l.seconds.length === l.values.length && l.seconds.length > 1)).toBe(true)
  })

  test('a run that cannot be read is told and left out', async () => {
    const root = folder()
    put(join(root, 'good'))
    put(join(root, 'bad'))
    writeFileSync(join(root, 'bad/profile_export_aiperf.json'), '{')
    const told = context()
    expect((await readRuns([root], told)).runs.map((run) => run.name)).toEqual(['good'])
    expect(told.warnings.join()).toMatch(/bad/)
  })

  test('means of repeated runs come with their intervals', async () => {
    const at = folder()
    cpSync(join(reference, 'repeats'), join(at, 'aggregate'), { recursive: true })
    const { runs, sweep } = await readRuns([at], context())
    expect(sweep).toBe(true)
    const metric = runs[0]!.metrics.get('effective_concurrency')!
    expect(metric.avg).toBeCloseTo(1.882, 3)
    expect(metric.intervals!.avg).toEqual([1.7925845672697287, 1.971432266864812])
    expect(await runs[0]!.requests([])).toBeUndefined()
  })

  test('trials of a point share it, points are named by what was varied', async () => {
    const root = folder()
    for (const trial of [1, 2]) for (const c of [2, 16]) put(join(root, `profile_runs/trial_000${trial}/concurrency_${c}`), c, 'sweep-1')
    const { runs, sweep } = await readRuns([root], context())
    expect(sweep).toBe(true)
    expect(runs.map((run) => run.label)).toEqual(['concurrency 2 #1', 'concurrency 2 #2', 'concurrency 16 #1', 'concurrency 16 #2'])
    expect(new Set(runs.map((run) => run.point)).size).toBe(2)
  })

  test('an interrupted rename leaves nothing that is taken for a run', () => {
    const root = put(join(folder(), 'run'))
    renameSync(join(root, 'profile_export_aiperf.json'), join(root, 'profile_export_aiperf.json.part'))
    expect(findRuns([root], () => {})).toEqual([])
  })
})

describe('labels', () => {
  test('runs that nothing tells apart are named by their folders', () => {
    const runs = ['x/one', 'y/one', 'z/two'].map((directory, i) => ({ ...syntheticRun({ requests: 1 }), directory, name: directory.split('/')[1]!, point: String(i) }))
    expect(labelRuns(runs).map((run) => run.label)).toEqual(['x', 'y', 'two'])
    // A folder that several of them have tells nothing.
    const nested = ['a/x/1', 'a/x/2', 'a/y/1', 'a/y/2'].map((directory, i) => ({ ...runs[0]!, directory, point: String(i) }))
    expect(labelRuns(nested).map((run) => run.label)).toEqual(['x/1', 'x/2', 'y/1', 'y/2'])
  })

  test('the load comes last, and a number of requests that follows from it not at all', () => {
    const runs = [{ facts: { model: 'a', concurrency: 1, request_count: 10, isl: 5 } }, { facts: { model: 'a', concurrency: 2, request_count: 20, isl: 6 } }]
    expect(differingFacts(runs)).toEqual(['isl', 'concurrency'])
  })
})
