// The command lines by which people answer their two questions, does it keep its objectives and did a change help, smaller.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startMockServer, type MockServer } from '@aiperf/mock-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aiperf, emptyFolder } from './program.js'

vi.setConfig({ testTimeout: 120_000 })
let server: MockServer
beforeAll(async () => {
  server = await startMockServer({ ttftMs: 5, itlMs: 1 })
})
afterAll(() => server.close())

type Json = Record<string, unknown>
const json = (...path: string[]): Json => JSON.parse(readFileSync(join(...path), 'utf8')) as Json
const average = (summary: Json, tag: string): number => (summary[tag] as { avg: number }).avg

/** As written there, but for the server's address, the tokenizer, and what is not to be measured here. */
const run = (cwd: string, line: string) =>
  aiperf(['profile', '--model', 'Qwen/Qwen3-0.6B', '--url', server.url, '--endpoint-type', 'chat', '--streaming', '--tokenizer', 'builtin', '--no-gpu-telemetry', '--no-server-metrics', '--no-calibrate', '--ui-type', 'none', ...line.split(' ')], { cwd })

test('health check: a production trace at its own times against three objectives', async () => {
  const cwd = emptyFolder()
  const lines = Array.from({ length: 12 }, (_, i) => JSON.stringify({ timestamp: i * 40, input_length: 100, output_length: 5, hash_ids: [i] }))
  writeFileSync(join(cwd, 'prod-trace.jsonl'), lines.join('\n'))
  const done = await run(cwd, '--input-file prod-trace.jsonl --custom-dataset-type mooncake_trace --fixed-schedule --goodput time_to_first_token:5000 --goodput inter_token_latency:1000 --warmup-duration 0.3 --benchmark-duration 600 --benchmark-grace-period 60 --artifact-dir artifacts/health')
  expect(done).toMatchObject({ code: 0 })
  const summary = json(cwd, 'artifacts/health/profile_export_aiperf.json')
  expect(average(summary, 'request_count')).toBe(12)
  expect(average(summary, 'goodput')).toBeCloseTo(average(summary, 'request_throughput'), 6)
  expect(done.stdout).toContain('met every objective')
})

test('before and after: a sweep of concurrency, a seed for each point', async () => {
  const cwd = emptyFolder()
  expect(await run(cwd, '--concurrency 1,4,8 --request-count 16 --isl 30 --osl 5 --num-dataset-entries 16 --random-seed 42 --artifact-dir artifacts/pareto')).toMatchObject({ code: 0 })
  const points = ['concurrency_1', 'concurrency_4', 'concurrency_8']
  expect(readdirSync(join(cwd, 'artifacts/pareto'))).toEqual(expect.arrayContaining(points))
  expect(points.map((point) => json(cwd, 'artifacts/pareto', point, 'manifest.json')['seed'])).toEqual([42, 43, 44])
  expect(json(cwd, 'artifacts/pareto/sweep_aggregate/profile_export_aiperf_sweep.json')).toMatchObject({ num_successful_runs: 3, failed_runs: [] })
})

test('the highest throughput that still keeps the limit, in place of a grid', async () => {
  const cwd = emptyFolder()
  const done = await run(cwd, '--search-recipe max-throughput-ttft-sla --ttft-sla-ms 5000 --concurrency-max 8 --search-max-iterations 6 --request-count 16 --isl 30 --osl 5 --artifact-dir artifacts/search')
  expect(done).toMatchObject({ code: 0 })
  const { best_trials: best, config } = json(cwd, 'artifacts/search/search_history.json') as { best_trials: { feasible: boolean }[]; config: Json }
  expect(config).toMatchObject({ planner: 'bayesian' })
  expect(best[0]!.feasible).toBe(true)
  expect(done.stdout).toContain('Best point that keeps the limits: concurrency')
})

test('goodput at one concurrency, with the interval of repeated runs', async () => {
  const cwd = emptyFolder()
  expect(await run(cwd, '--concurrency 4 --request-count 12 --isl 30 --osl 5 --num-dataset-entries 12 --vary-seed-per-trial --num-profile-runs 3 --confidence-level 0.95 --profile-run-cooldown-seconds 0.1 --goodput time_to_first_token:5000 --artifact-dir artifacts/goodput')).toMatchObject({ code: 0 })
  const aggregate = json(cwd, 'artifacts/goodput/aggregate/profile_export_aiperf_aggregate.json')
  const { goodput_avg: goodput } = aggregate['metrics'] as Record<string, { mean: number; ci_low: number; ci_high: number }>
  expect(goodput!.ci_low).toBeLessThan(goodput!.mean)
  expect(goodput!.ci_high).toBeGreaterThan(goodput!.mean)
  const seeds = readdirSync(join(cwd, 'artifacts/goodput/profile_runs')).map((trial) => json(cwd, 'artifacts/goodput/profile_runs', trial, 'manifest.json')['seed'])
  expect(new Set(seeds).size).toBe(3)
})
