import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startMockServer, type MockServer } from '@aiperf/mock-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aiperf, emptyFolder } from './program.js'

vi.setConfig({ testTimeout: 120_000 })
let server: MockServer
beforeAll(async () => {
  server = await startMockServer({ ttftMs: 5, itlMs: 1 })
})
afterAll(() => server.close())

const loadOn = (url: string, ...rest: string[]) => ['profile', '--model', 'm', '--url', url, '--tokenizer', 'builtin', '--streaming', '--isl', '20', '--osl', '5', '--no-gpu-telemetry', '--no-server-metrics', '--no-calibrate', '--ui-type', 'none', ...rest]
const load = (...rest: string[]) => loadOn(server.url, ...rest)

type Json = Record<string, unknown>
const json = (...path: string[]): Json => JSON.parse(readFileSync(join(...path), 'utf8')) as Json
const filesIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile()).sort()
const runsKept = (folder: string): Json[] => {
  const path = join(folder, 'checkpoints', 'runs.jsonl')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Json] : [])) : []
}

/** Runs a plan until so many of its runs are kept, and kills the program while the next one is under way. */
function killedAfter(runs: number, args: readonly string[], folder: string) {
  return aiperf(args, {
    started(child) {
      const look = setInterval(() => {
        if (runsKept(folder).length < runs) return
        clearInterval(look)
        child.kill('SIGKILL')
      }, 5)
      child.once('close', () => clearInterval(look))
    },
  })
}

describe('killed in the middle and taken up again, a plan leaves the files of one that was not', () => {
  test.each([
    ['a sweep', ['--concurrency', '1,2,3', '--request-count', '9', '--random-seed', '5'], 'sweep_aggregate/profile_export_aiperf_sweep.json', (sweep: Json) => [sweep['metadata'], sweep['num_profile_runs'], sweep['num_successful_runs'], sweep['failed_runs']]],
    ['a search', ['--search-recipe', 'max-concurrency-under-sla', '--e2e-sla-ms', '100000', '--concurrency-max', '4', '--request-count', '9'], 'search_history.json', ({ iterations, config, convergence_reason: reason }: Json) => [config, reason, (iterations as Json[]).map((it) => [it['variation_values'], it['feasible']])]],
  ])('%s', async (_, flags, file, content) => {
    const [whole, cut] = [join(emptyFolder(), 'out'), join(emptyFolder(), 'out')]
    const plan = (folder: string, ...more: string[]) => load(...flags, '--artifact-dir', folder, ...more)
    expect(await aiperf(plan(whole))).toMatchObject({ code: 0 })
    expect(await killedAfter(1, plan(cut), cut)).toMatchObject({ code: null })
    const before = runsKept(cut)
    expect(before.length).toBeLessThan(3)
    expect(await aiperf(plan(cut, '--resume'))).toMatchObject({ code: 0 })

    expect(filesIn(cut)).toEqual(filesIn(whole))
    expect(content(json(cut, file))).toEqual(content(json(whole, file)))
    const counted = (folder: string) => runsKept(folder).map((run) => [run['label'], run['seed'], run['status'], (run['metrics'] as { tag: string; avg: number }[]).find((m) => m.tag === 'request_count')?.avg])
    expect(counted(cut)).toEqual(counted(whole))
    // What was there is not made again.
    expect(runsKept(cut).slice(0, before.length)).toEqual(before)
    const changed = await aiperf(load(...flags.map((flag) => (flag === '9' ? '8' : flag)), '--artifact-dir', cut, '--resume'))
    expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining('the plan has changed') as string })
  })
})

test('two folders are compared: tables, files for a merge request and for CI, exit codes', async () => {
  await using slow = await startMockServer({ ttftMs: 300, itlMs: 1 })
  const cwd = emptyFolder()
  for (const [folder, url, count] of [['A', server.url, '10'], ['B', slow.url, '10'], ['other', server.url, '11']] as const)
    expect(await aiperf(loadOn(url, '--concurrency', '2', '--request-count', count, '--num-profile-runs', '3', '--artifact-dir', folder), { cwd })).toMatchObject({ code: 0, stderr: '' })
  const compare = (...args: string[]) => aiperf(['compare', ...args], { cwd })

  // Of the fastest request a busy machine changes least.
  const worse = await compare('A', 'B', '--metrics', 'time_to_first_token:min', '--fail-on', 'regression', '--markdown', 'c.md', '--junit', 'c.xml', '--json', 'c.json')
  expect(worse).toMatchObject({ code: 3, stderr: expect.stringContaining('time_to_first_token min is worse') as string })
  expect(worse.stdout).toMatch(/time_to_first_token min +ms .* worse/)
  expect(readFileSync(join(cwd, 'c.md'), 'utf8')).toMatch(/^\| time_to_first_token min \| ms \|.*\| worse \|$/m)
  expect(readFileSync(join(cwd, 'c.xml'), 'utf8')).toContain('<testsuite name="run" tests="1" failures="1" skipped="0">')
  expect((json(cwd, 'c.json')['points'] as Json[]).length).toBe(1)

  expect(await compare('A', 'A', '--band', '0.000001', '--metrics', 'time_to_first_token:p50', '--fail-on', 'inconclusive')).toMatchObject({ code: 3, stderr: expect.stringMatching(/or cannot be told[^]*p50 is inconclusive/) as string })
  const same = await compare('A', 'A', '--fail-on', 'regression', '--output', 'markdown')
  expect(same).toMatchObject({ code: 0, stdout: expect.stringMatching(/^## A against A\n/) as string })
  expect(await compare('A', 'other')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('phases.0.requests is 10 and 11') as string })
  expect(await compare('A', 'other', '--force')).toMatchObject({ code: 0 })
  expect(await compare('A', 'A/profile_runs/run_0001', '--fail-on', 'regression')).toMatchObject({ code: 2, stderr: expect.stringContaining('at least two runs') as string })
})

test('on a narrow screen the table of points leaves columns out and says which', async () => {
  const { code, stdout } = await aiperf(load('--concurrency', '1,2', '--request-count', '4', '--artifact-dir', join(emptyFolder(), 'out')), { env: { COLUMNS: '80' } })
  expect(code).toBe(0)
  const table = stdout.split('\n').slice(0, stdout.split('\n').findIndex((line) => line.includes('No room for')) + 1)
  expect(table.at(-1)).toMatch(/No room for .*latency p95 ms: see the files\./)
  for (const line of table) expect(line.length).toBeLessThanOrEqual(80)
})
