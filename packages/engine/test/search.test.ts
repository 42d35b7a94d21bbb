import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, LiveSnapshot } from '@aiperf/core'
import { contributionsOf } from '@aiperf/core/host'
import { buildTable, resolveRun } from '@aiperf/core/options'
import { compare, compareJunit, compareMarkdown } from '@aiperf/engine/compare'
import { makePlan, runPlan, type OrchestrationOutcome } from '@aiperf/engine/search'
import { startMockServer, type MockServer } from '@aiperf/mock-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { index } from '../test-support/profile.js'

// Dozens of runs, one after the other: on a busy machine each takes its time.
vi.setConfig({ testTimeout: 120_000 })
const table = buildTable(index)
let server: MockServer
beforeAll(async () => {
  server = await startMockServer({ ttftMs: 2, itlMs: 0.2 })
})
afterAll(() => server.close())

interface Ran extends OrchestrationOutcome {
  printed: string
  log: string[]
  /** The best points that were shown, in turn. */
  best: string[]
  json(path: string): JsonObject
}

/** Runs a command line to the files of its plan. */
async function run(flags: string, { url = server.url, directory = mkdtempSync(join(tmpdir(), 'aiperf-search-')), interrupt = new AbortController().signal, onLog = (_: string): void => {}, onUpdate = (_: LiveSnapshot): void => {} } = {}): Promise<Ran> {
  const argv = ['--model', 'test-model', '--url', url, '--tokenizer', 'builtin', '--streaming', '--no-calibrate', '--isl', '20', '--osl', '4', '--artifact-dir', directory, ...flags.split(' ').filter(Boolean)]
  const quiet = <T extends { model: { telemetry: Record<string, JsonObject> } | undefined }>(resolved: T): T => {
    // What else runs on this machine is not part of these tests.
    if (resolved.model) for (const { name } of contributionsOf(index, 'telemetry_source')) resolved.model.telemetry[name] = { enabled: false }
    return resolved
  }
  const input = { index, table, argv, env: {}, sweeps: true }
  const { model, explicit, orchestration, problems } = quiet(await resolveRun(input))
  if (!model || !orchestration) throw new Error(problems.map((p) => p.message).join('\n'))
  let printed = ''
  const log: string[] = []
  const best = new Set<string>()
  const plan = await makePlan({ index, orchestration, base: { model, explicit }, resolveAt: async (overlay) => quiet(await resolveRun({ ...input, overlay })) })
  const outcome = await runPlan(plan, {
    index, interrupt, command: 'aiperf profile',
    ui: { update: (s) => (s.sweep?.best && best.add(s.sweep.best), onUpdate(s)), log: (_, message) => (log.push(message), onLog(message)), close: () => Promise.resolve() },
    console: { columns: 120, color: false, verbose: false, output: 'text' },
    print: (text) => void (printed += text),
  })
  return { ...outcome, printed, log, best: [...best], json: (path) => JSON.parse(readFileSync(join(directory, path), 'utf8')) as JsonObject }
}

/** A server that answers as many requests at a time, slowly, and turns the others away. */
async function crowdedServer(most: number): Promise<{ url: string; admit(most: number): void; close(): void }> {
  let inFlight = 0
  const server = createServer((request, response) => {
    request.resume()
    if (inFlight >= most) return void response.writeHead(503).end('crowded')
    inFlight++
    setTimeout(() => {
      inFlight--
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\ndata: [DONE]\n\n')
    }, 60)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, admit: (count) => void (most = count), close: () => (server.closeAllConnections(), server.close()) }
}

const sweepFile = 'sweep_aggregate/profile_export_aiperf_sweep.json'

describe('a sweep', () => {
  test('a run for every point, in its folder with its seed; best, front and failures in one file', async () => {
    const { exitCode, json, directory, printed } = await run('--concurrency 1,4 --request-count 20 --random-seed 7 --goodput time_to_first_token:1000')
    expect(exitCode).toBe(0)
    expect(readdirSync(directory).sort()).toEqual(['aggregate', 'checkpoints', 'concurrency_1', 'concurrency_4', 'sweep_aggregate'])
    expect(['concurrency_1', 'concurrency_4'].map((folder) => json(`${folder}/manifest.json`)['seed'])).toEqual([7, 8])
    const sweep = json(sweepFile)
    expect(sweep).toMatchObject({ num_profile_runs: 2, num_successful_runs: 2, failed_runs: [], best_configurations: { best_throughput: { parameters: { concurrency: 4 } } } })
    expect(sweep['pareto_optimal']).not.toEqual([])
    expect(json('concurrency_4/run_config.json')).toMatchObject({ variation: { index: 1, label: 'phases.profiling.concurrency=4' }, trial: 0, random_seed: 8 })
    expect(json('concurrency_4/profile_export_aiperf.json')['request_count']).toMatchObject({ avg: 20 })
    expect(json('aggregate/concurrency_4/profile_export_aiperf_aggregate.json')['metadata']).toMatchObject({ single_run: true, variation_values: { 'phases.profiling.concurrency': 4 } })
    expect(printed).toContain('good/s')
    // 20 requests are too few for a high percentile, at both points.
    expect(printed).toMatch(/Why not all are valid: .*too-few-samples \(concurrency 1; concurrency 4\)/)
  })

  test('a point without a stated end has enough requests for its load', async () => {
    const { json } = await run('--concurrency 1,8')
    const counts = ['concurrency_1', 'concurrency_8'].map((folder) => (json(`${folder}/profile_export_aiperf.json`)['request_count'] as JsonObject)['avg'])
    expect(counts).toEqual([30, 80])
  })

  test('a point whose server is dead is kept and listed, the others have their results; --resume makes it again', async () => {
    const dead = '127.0.0.1:9'
    const variants = ['--variant', `"alive: concurrency=2"`, '--variant', `"dead: url=http://${dead}"`]
    const argv = (more: string[]) => [...variants, '--request-count', '6', ...more]
    const directory = mkdtempSync(join(tmpdir(), 'aiperf-search-'))
    const { exitCode, failure, json, printed } = await runWords(argv([]), directory)
    expect(exitCode).toBe(4)
    expect(failure!.code).toBe('E_PARTIAL')
    expect(json(sweepFile)).toMatchObject({ num_profile_runs: 2, num_successful_runs: 1, failed_runs: [{ label: 'dead', error: expect.stringContaining('6 requests failed') as string }] })
    expect(printed).toContain('dead')
    const again = await runWords(argv(['--resume']), directory)
    expect(again.json(sweepFile)['num_profile_runs']).toBe(2)
    expect((await runWords(argv(['--fail-on', 'all', '--resume']), directory)).exitCode).toBe(0)
  })

  test('interrupted and taken up again: the files of a sweep that was not', async () => {
    const flags = '--concurrency 1,2,3 --request-count 10 --random-seed 3'
    const whole = await run(flags)
    const directory = mkdtempSync(join(tmpdir(), 'aiperf-search-'))
    const stop = new AbortController()
    const cut = await run(flags, { directory, interrupt: stop.signal, onLog: (message) => message.startsWith('[1/3]') && stop.abort() })
    expect(cut).toMatchObject({ exitCode: 130, failure: { code: 'E_INTERRUPTED' } })
    const firstRun = () => readFileSync(join(directory, 'concurrency_1', 'manifest.json'), 'utf8')
    const before = firstRun()
    const resumed = await run(`${flags} --resume`, { directory })
    expect(resumed.exitCode).toBe(0)
    expect(firstRun()).toBe(before)
    // What the machine's load has no part in; which latencies there are depends on how chunks arrived.
    const content = ({ json }: Ran) => {
      const { per_combination_metrics: points, ...rest } = json(sweepFile) as { per_combination_metrics: { parameters: object; metrics: Record<string, JsonObject> }[] } & JsonObject
      const { metadata, num_profile_runs, num_successful_runs, failed_runs } = rest
      return { metadata, num_profile_runs, num_successful_runs, failed_runs, points: points.map((p) => [p.parameters, ...['request_count_avg', 'input_sequence_length_avg', 'output_sequence_length_sum'].map((key) => p.metrics[key])]) }
    }
    expect(content(resumed)).toEqual(content(whole))
    await expect(run(`${flags.replace('10', '11')} --resume`, { directory })).rejects.toThrow(/phases\.0\.requests was 10, is 11/)
  })
})

describe('repeated runs', () => {
  test('intervals, a warm-up once, a seed for each', async () => {
    const { json, printed } = await run('--concurrency 2 --request-count 20 --warmup-request-count 3 --num-profile-runs 3 --vary-seed-per-trial')
    const aggregate = json('aggregate/profile_export_aiperf_aggregate.json')
    expect(aggregate['metadata']).toMatchObject({ num_profile_runs: 3, run_labels: ['run_0001', 'run_0002', 'run_0003'] })
    expect((aggregate['metrics'] as JsonObject)['request_latency_avg']).toMatchObject({ t_critical: expect.closeTo(4.3027, 3) as number })
    const manifests = [1, 2, 3].map((i) => json(`profile_runs/run_000${i}/manifest.json`) as { seed: number; phases: object[] })
    expect(manifests.map((m) => m.phases.length)).toEqual([2, 1, 1])
    expect(new Set(manifests.map((m) => m.seed)).size).toBe(3)
    expect(printed).toContain('95 % interval')
  })

  test.each([
    ['one point', '--concurrency 2', 'aggregate'],
    ['all points again and again', '--concurrency 1,2', 'aggregate/concurrency_2'],
  ])('end when they agree: %s', async (_, points, folder) => {
    const { json } = await run(`${points} --request-count 10 --num-profile-runs 5 --convergence-metric input_sequence_length --convergence-mode cv`)
    expect(json(`${folder}/profile_export_aiperf_aggregate.json`)['metadata']).toMatchObject({ num_profile_runs: 3, convergence: { converged: true, runs: 3 } })
    const collated = json(`${folder}/profile_export_aiperf_collated.json`)['metrics'] as { request_latency: { combined: { count: number }; per_run: object[] } }
    expect(collated.request_latency).toMatchObject({ combined: { count: 30 }, per_run: [{ label: 'run_0001', count: 10 }, { count: 10 }, { count: 10 }] })
  })
})

describe('a search', () => {
  test('finds the load from which on a server turns requests away, and leaves what it knew after every point', async () => {
    const crowded = await crowdedServer(4)
    const { exitCode, json, printed, directory, best } = await run('--search-recipe max-concurrency-under-sla --error-rate-sla 0.01 --concurrency-max 32 --request-count 16', { url: crowded.url })
    crowded.close()
    expect(exitCode).toBe(0)
    const { boundary_summary, convergence_reason, iterations } = json('search_history.json') as { boundary_summary: object; convergence_reason: string; iterations: { variation_values: Record<string, number>; feasible: boolean }[] }
    expect(iterations.map((it) => [Object.values(it.variation_values)[0], it.feasible])).toEqual([[1, true], [2, true], [4, true], [8, false], [5, false]])
    expect(convergence_reason).toBe('smooth_isotonic_precision_reached')
    expect(boundary_summary).toMatchObject({ feasible_max: { value: 4 }, infeasible_min: { value: 5, first_breach: 'request_error_rate avg < 1' } })
    expect(existsSync(join(directory, 'search_iter_0000', 'profile_runs', 'run_0001', 'profile_export_aiperf.json'))).toBe(true)
    expect(json('sweep_aggregate/sla_breach.json')).toMatchObject({ max_passing_concurrency: 4, first_failing_concurrency: 5, monotonicity_check: { monotone: true } })
    expect(printed).toContain('Highest that is sure to keep them: 4')
    expect(best.map((text) => text.split(' (')[0])).toEqual(['concurrency 1', 'concurrency 2', 'concurrency 4'])
  })

  const visited = ({ json }: Ran) => (json('search_history.json') as { iterations: { variation_values: Record<string, number> }[] }).iterations.map((it) => Object.values(it.variation_values)[0])
  const upTo8 = '--search-recipe max-concurrency-under-sla --e2e-sla-ms 100000 --concurrency-max 8 --request-count 10'
  const runsMade = ({ log }: Ran) => log.filter((m) => /^\[\d/.test(m)).map((m) => m.replace(/:.*/, ''))

  test('interrupted and taken up again, it goes on where it was', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'aiperf-search-'))
    const stop = new AbortController()
    const cut = await run(upTo8, { directory, interrupt: stop.signal, onLog: (message) => message.startsWith('[2/') && stop.abort() })
    expect([cut.failure?.code, runsMade(cut)]).toEqual(['E_INTERRUPTED', ['[1/60] concurrency 1', '[2/60] concurrency 2']])
    const resumed = await run(`${upTo8} --resume`, { directory })
    expect([resumed.failure, runsMade(resumed)]).toEqual([undefined, ['[3/60] concurrency 4', '[4/60] concurrency 8']])
    expect(visited(resumed)).toEqual([1, 2, 4, 8])
    expect(resumed.json('search_history.json')['convergence_reason']).toBe('smooth_isotonic_no_failure_in_range')
  })

  test('interrupted in the middle of a run, that run is made again whatever had become of it', async () => {
    const server = await crowdedServer(8)
    const directory = mkdtempSync(join(tmpdir(), 'aiperf-search-'))
    const stop = new AbortController()
    const slow = upTo8.replace('--request-count 10', '--benchmark-duration 1')
    let first = false
    const cut = await run(slow, {
      url: server.url, directory, interrupt: stop.signal,
      onLog: (message) => (first ||= message.startsWith('[1/')),
      onUpdate: ({ stage, completed }) => first && stage === 'profiling' && completed > 0 && stop.abort(),
    })
    expect([cut.failure?.code, visited(cut)]).toEqual(['E_INTERRUPTED', [1]])
    const resumed = await run(`${slow} --resume`, { url: server.url, directory })
    server.close()
    expect([resumed.failure, runsMade(resumed)[0], visited(resumed)]).toEqual([undefined, '[2/60] concurrency 2', [1, 2, 4, 8]])
  })

  test('a point whose run failed is run again, and what was asked because of it is forgotten', async () => {
    const server = await crowdedServer(8)
    const directory = mkdtempSync(join(tmpdir(), 'aiperf-search-'))
    const broken = await run(upTo8, { url: server.url, directory, onLog: (message) => message.startsWith('[1/') && server.admit(0) })
    expect(broken.failure?.code).toBe('E_PARTIAL')
    expect(visited(broken)).not.toEqual([1, 2, 4, 8])
    server.admit(8)
    const resumed = await run(`${upTo8} --resume`, { url: server.url, directory })
    server.close()
    expect([resumed.failure, visited(resumed)]).toEqual([undefined, [1, 2, 4, 8]])
    expect(runsMade(resumed)[0]).toBe('[2/60] concurrency 2')
    expect(resumed.printed).not.toContain('Failed runs')
  })
})

test('values that do not go with one another are told before the first run of a search', async () => {
  await expect(run('--search-space phases.profiling.concurrency:2,8:int --search-space phases.profiling.prefillConcurrency:1,4:int --search-metric request_throughput --search-direction maximize --search-max-iterations 8')).rejects.toThrow('--prefill-concurrency 4 is above --concurrency 2')
})

test('what a recipe makes of its points stands under their table', async () => {
  const { printed, json } = await run('--search-recipe concurrency-ramp --concurrency-max 4 --concurrency-steps 2')
  expect(printed).toMatch(/(Knee: 4, where|No knee up to 4:) request_latency p99/)
  expect(json('sweep_aggregate/degradation_knee.json')).toMatchObject({ baseline: { x: 1 } })
})

test('shapes of requests at the loads of a list', async () => {
  const { json, directory } = await run('--search-recipe pareto-sweep --isl-osl-pairs 16/4 --concurrency 1,2 --request-count 6')
  expect(json('sweep_aggregate/pareto_sweep.json')['cells']).toMatchObject([{ isl: 16, osl: 4, concurrency: 1 }, { concurrency: 2 }])
  expect(readdirSync(directory)).toContain('isl_16__osl_4__concurrency_1')
})

describe('comparing folders', () => {
  test('the same against the same, and a slower server', async () => {
    await using slow = await startMockServer({ ttftMs: 300, itlMs: 0.2 })
    const flags = '--concurrency 4 --request-count 20 --num-profile-runs 3'
    const a = await run(flags)
    const b = await run(flags, { url: slow.url })
    const options = { index, level: 0.95, band: 0.03, force: false, warn: () => {} }
    // Of the fastest request a busy machine changes least.
    const found = await compare(a.directory, b.directory, { ...options, metrics: [{ tag: 'time_to_first_token', stat: 'min' }] })
    expect(found.cells[0]!.rows.map((r) => [r.tag, r.verdict])).toEqual([['time_to_first_token', 'worse']])
    expect(found.others.map((d) => d.path)).toContain('endpoint.urls.0')
    expect(compareJunit(found)).toContain('failures="1"')
    expect(compareMarkdown(found)).toContain('| time_to_first_token min |')
    const same = await compare(a.directory, a.directory, options)
    expect(same.cells[0]!.rows.every((r) => r.verdict !== 'worse' && r.verdict !== 'better')).toBe(true)
    const other = await run('--concurrency 4 --request-count 21 --num-profile-runs 2')
    await expect(compare(a.directory, other.directory, options)).rejects.toThrow(/phases\.0\.requests is 20 and 21/)
    expect((await compare(a.directory, other.directory, { ...options, force: true })).obstacles.length).toBeGreaterThan(0)
  })
})

async function runWords(words: readonly string[], directory: string): Promise<Ran> {
  // Words with spaces, as a shell hands them over.
  const marked = words.map((word) => word.replaceAll('"', '').replaceAll(' ', '\u00a0'))
  return runMarked(marked, directory)
}
const runMarked = (words: readonly string[], directory: string): Promise<Ran> => run(words.join(' '), { directory })
