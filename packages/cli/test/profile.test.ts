import { readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startMockServer, type MockServer } from '@aiperf/mock-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aiperf, emptyFolder } from './program.js'

let server: MockServer
beforeAll(async () => {
  server = await startMockServer({ ttftMs: 5, itlMs: 1 })
})
afterAll(() => server.close())

const load = (...rest: string[]) => ['profile', '--model', 'm', '--url', server.url, '--tokenizer', 'builtin', '--streaming', '--isl', '20', '--osl', '5', '--no-gpu-telemetry', '--no-server-metrics', '--ui-type', 'none', ...rest]
const SUMMARY = 'profile_export_aiperf.json'

test('a run shows its results on stdout, says where the files are, and export makes them again', async () => {
  const cwd = emptyFolder()
  const run = await aiperf(load('--concurrency', '2', '--request-count', '6', '--artifact-dir', 'out'), { cwd })
  expect(run).toMatchObject({ code: 0 })
  expect(run.stdout).toContain('Time to First Token')
  expect(run.stdout).toContain('Files in out')
  const summary = readFileSync(join(cwd, 'out', SUMMARY), 'utf8')
  expect(JSON.parse(summary)).toMatchObject({ request_count: { avg: 6 } })

  const files = readdirSync(join(cwd, 'out')).filter((name) => statSync(join(cwd, 'out', name)).isFile() && name !== 'manifest.json')
  for (const name of files) rmSync(join(cwd, 'out', name))
  const again = await aiperf(['export', 'out'], { cwd })
  expect(again).toMatchObject({ code: 0 })
  expect(readdirSync(join(cwd, 'out'))).toEqual(expect.arrayContaining(files))
  expect((JSON.parse(readFileSync(join(cwd, 'out', SUMMARY), 'utf8')) as { request_count: unknown }).request_count).toEqual((JSON.parse(summary) as { request_count: unknown }).request_count)
})

test('every run has a directory of its own; latest leads to the newest that sent something', async () => {
  const cwd = emptyFolder()
  const run = async (...rest: string[]): Promise<number | null> => (await aiperf(load('--concurrency', '1', '--request-count', '2', ...rest), { cwd })).code
  const runs = (): string[] => readdirSync(join(cwd, 'artifacts'), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => join(cwd, 'artifacts', entry.name))
  expect(await run()).toBe(0)
  expect(await run()).toBe(0)
  expect(runs()).toHaveLength(2)
  const newest = realpathSync(join(cwd, 'artifacts', 'latest'))
  expect(runs().map((path) => realpathSync(path))).toContain(newest)
  expect(await run('--tokenizer', './none')).not.toBe(0)
  expect(realpathSync(join(cwd, 'artifacts', 'latest'))).toBe(newest)
})

test('options come from a config file and from variables too, the command line winning', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'run.yaml'), `
benchmark:
  model: from-file
  endpoint: {urls: ["${server.url}"], type: chat, streaming: true}
  tokenizer: \${TOKENIZER:builtin}
  dataset: {type: synthetic, prompts: {isl: 20, osl: 5}}
  phases:
    - {name: warmup, type: concurrency, concurrency: 1, requests: 2}
    - {name: profiling, type: constant, rate: 100, requests: 50}
  artifacts: {dir: from-file}
`)
  const { code, stderr } = await aiperf(['profile', '--config', 'run.yaml', '--request-count', '3', '--ui', 'none'], { cwd, env: { AIPERF_ARTIFACT_DIR: 'from-env' } })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const manifest = JSON.parse(readFileSync(join(cwd, 'from-env', 'manifest.json'), 'utf8')) as { phases: { name: string; mode: string; counts: { completed: number } }[]; endpoint: { models: string[] } }
  expect(manifest.endpoint.models).toEqual(['from-file'])
  expect(manifest.phases.map((p) => [p.name, p.mode, p.counts.completed])).toEqual([['warmup', 'concurrency', 2], ['profiling', 'request_rate', 3]])
})

test('a config file in the working directory is found, and said so', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, '.aiperfrc'), 'model: found\nendpoint: {type: nonsense}\n')
  const { code, stderr } = await aiperf(['profile', '--concurrency', '0'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toContain('endpoint.type (.aiperfrc:2)')
  expect(stderr).toContain('--concurrency')
  expect(stderr).not.toContain('--model is missing')
})

describe('a config file that cannot be used is refused with the place', () => {
  test.each([
    ['a key twice', 'model: a\nmodel: b\n', 'run.yaml:2'],
    ['an unknown key', 'model: a\nendpoint:\n  urlz: [x]\n', 'endpoint.urlz (run.yaml:3) is not known here'],
    ['an unset variable', 'model: a\nendpoint:\n  apiKey: ${AIPERF_TEST_UNSET}\n', 'run.yaml:3'],
    ['no mapping', '- a\n', 'must hold a mapping'],
    ['nothing', '', 'is empty'],
    ['broken YAML', 'a: [1\n', 'is no YAML'],
    ['a cycle', 'model: m\nendpoint: &a {extra: *a}\n', 'run.yaml'],
  ])('%s', async (_title, content, words) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'run.yaml'), content)
    const { code, stderr } = await aiperf(['profile', '-f', 'run.yaml'], { cwd })
    expect(stderr).toContain(words)
    expect(code).toBe(2)
    expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/)
  })

  test('a missing one', async () => {
    const { code, stderr } = await aiperf(['profile', '--config', 'nowhere.yaml'])
    expect(code).toBe(2)
    expect(stderr).toContain('--config: nowhere.yaml does not exist')
  })
})

test.skipIf(process.platform === 'win32')('Ctrl-C once writes what was measured', async () => {
  const cwd = emptyFolder()
  const before = server.stats().requests
  let pressed = false
  const run = await aiperf(load('--concurrency', '2', '--benchmark-duration', '60', '--artifact-dir', 'out'), {
    cwd,
    started: (child) => {
      const timer = setInterval(() => {
        if (pressed || server.stats().requests < before + 20) return
        pressed = true
        clearInterval(timer)
        child.kill('SIGINT')
      }, 20)
    },
  })
  expect(run.code).toBe(130)
  expect(run.stderr).toContain('interrupted')
  const { was_cancelled: cancelled, request_count: count } = JSON.parse(readFileSync(join(cwd, 'out', SUMMARY), 'utf8')) as { was_cancelled: boolean; request_count: { avg: number } }
  expect(cancelled).toBe(true)
  expect(count.avg).toBeGreaterThan(5)
})
