import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { startMockServer } from '@aiperf/mock-server'
import { describe, expect, test } from 'vitest'
import { aiperf, emptyFolder, home } from './program.js'

const require = createRequire(import.meta.url)
const ENDPOINT = `import { defineEndpoint } from '@aiperf/core'
const text = new TextEncoder()
export default defineEndpoint({
  create: ({ options, streaming }) => ({
    encode: ({ turns }) => ({ method: 'POST', contentType: 'application/json', accept: 'application/json',
      body: text.encode(JSON.stringify({ model: 'm', prompt: turns.at(-1).texts[0].contents[0], max_tokens: options.most })) }),
    decoder: () => ({ push: (frame) => [{ kind: 'text', text: frame.json().choices[0].text }, { kind: 'finish', reason: 'stop' }], end: () => [] }),
    inputTexts: (body) => [body.prompt],
  }),
})`
const OPTIONS = `import { z } from 'zod'
export default z.strictObject({ most: z.int().min(1).default(3).describe('Most tokens to ask for').meta({ flag: '--acme-most', group: 'Acme' }) })`

/** A vendor's package, in a folder that knows nothing of this repository but the library it was written against. */
function vendorPackage(folder: string): string {
  const directory = join(folder, 'acme')
  mkdirSync(join(directory, 'node_modules/@aiperf'), { recursive: true })
  symlinkSync(dirname(require.resolve('@aiperf/core/package.json')), join(directory, 'node_modules/@aiperf/core'), 'junction')
  symlinkSync(dirname(createRequire(require.resolve('@aiperf/core/package.json')).resolve('zod/package.json')), join(directory, 'node_modules/zod'), 'junction')
  const meta = { description: 'The API of Acme', path: '/v1/completions', streams: false, producesTokens: true, tokenizesInput: true, media: [], metricsTitle: 'LLM Metrics' }
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: '@acme/aiperf-endpoint', version: '1.2.3', type: 'module', oclif: {}, aiperf: { api: 1, contributes: { endpoint: { acme: { entry: './acme.js', options: './acme.options.js', meta } } } } }))
  writeFileSync(join(directory, 'acme.js'), ENDPOINT)
  writeFileSync(join(directory, 'acme.options.js'), OPTIONS)
  execFileSync(process.execPath, [join(dirname(require.resolve('@aiperf/core/package.json')), 'bin/aiperf-manifest.js'), directory])
  return directory
}

test('a package in a folder outside the repository, linked, works like a bundled one', { timeout: 60_000 }, async () => {
  const folder = emptyFolder()
  const env = home(folder)
  const directory = vendorPackage(folder)
  expect((await aiperf(['plugins', 'link', directory, '--no-install'], { env })).code).toBe(0)
  expect((await aiperf(['plugins'], { env })).stdout).toMatch(/@acme\/aiperf-endpoint +1\.2\.3 +linked/)
  expect((await aiperf(['plugins', 'endpoints', 'ACME'], { env })).stdout).toContain('--acme-most')
  expect((await aiperf(['profile', '--help'], { env })).stdout).toContain('Most tokens to ask for')

  const wrong = await aiperf(['profile', '--model', 'm', '--endpoint-type', 'acme', '--acme-most', '0'], { env })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--acme-most must be a whole number of at least 1, got 0') })
  const misplaced = await aiperf(['profile', '--model', 'm', '--acme-most', '2'], { env })
  expect(misplaced).toMatchObject({ code: 2, stderr: expect.stringContaining('--endpoint-type') })

  const server = await startMockServer({ captureRequests: true })
  const run = await aiperf(['profile', '--model', 'm', '--url', server.url, '--endpoint-type', 'acme', '--acme-most', '7', '--tokenizer', 'builtin', '--isl', '8', '--request-count', '2', '--ui', 'none', '--artifact-dir', 'out'], { env, cwd: folder })
  await server.close()
  expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 })
  const records = readFileSync(join(folder, 'out/profile_export.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { metrics: { output_sequence_length?: { value: number } } })
  expect(records.map((record) => record.metrics.output_sequence_length?.value)).toEqual([7, 7])

  const reset = await aiperf(['plugins', 'reset'], { env })
  expect(reset.stdout).toMatch(/^Removed @acme\/aiperf-endpoint\.\n[\s\S]*- +endpoint /)
  expect((await aiperf(['plugins'], { env })).stdout).not.toContain('@acme/')
  expect((await aiperf(['plugins', 'reset'], { env })).stdout).toBe('Nothing was installed or linked.\n')
})

test('a broken package harms nothing, and ends a run that asks for it', { timeout: 60_000 }, async () => {
  const folder = emptyFolder()
  const env = home(folder)
  const directory = vendorPackage(folder)
  writeFileSync(join(directory, 'acme.js'), 'export default { kind: "endpoint", api: 99, create() {} }')
  await aiperf(['plugins', 'link', directory, '--no-install'], { env })
  const other = await aiperf(['profile', '--model', 'm', '--url', 'http://127.0.0.1:9', '--tokenizer', 'builtin', '--request-count', '1', '--ui', 'none'], { env })
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') })
  const asked = await aiperf(['profile', '--model', 'm', '--endpoint-type', 'acme', '--tokenizer', 'builtin'], { env })
  expect(asked.code).toBe(1)
  expect(asked.stderr).toMatch(/E_PLUGIN_API[\s\S]*@acme\/aiperf-endpoint 1\.2\.3[\s\S]*Upgrade AIPerf/)
  const checked = await aiperf(['plugins', '--validate'], { env })
  expect(checked.code).toBe(1)
  expect(checked.stdout).toMatch(/FAIL endpoint acme/)
})

describe('listing', { timeout: 60_000 }, () => {
  test('every bundled contribution can be loaded and keeps its contract', async () => {
    const { code, stdout } = await aiperf(['plugins', '--validate'])
    expect(stdout.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([])
    expect(code).toBe(0)
  })

  test('packages, a kind by its name or the reference\'s, and one contribution, as text and as JSON', async () => {
    const packages = JSON.parse((await aiperf(['plugins', '--json'])).stdout) as { name: string; contributions: number }[]
    expect(packages.map((p) => p.name)).toEqual(expect.arrayContaining(['@aiperf/plugin-endpoints', '@aiperf/plugin-timing']))
    expect(packages.every((p) => p.contributions > 0)).toBe(true)
    const kind = JSON.parse((await aiperf(['plugins', 'timing_strategy', '--json'])).stdout) as { kind: string; name: string }[]
    expect(kind.map((c) => [c.kind, c.name])).toEqual(expect.arrayContaining([['timing_mode', 'concurrency'], ['timing_mode', 'fixed_schedule']]))
    expect((await aiperf(['plugins', 'timing_mode'])).stdout).toMatch(/user_centric +@aiperf\/plugin-timing \d+\.\d+\.\d+ [\s\S]*Needs\s+--user-centric-rate,\s+--num-users\./)
    expect((await aiperf(['plugins'])).stdout).toMatch(/@aiperf\/plugin-timing +\d+\.\d+\.\d+ +comes with aiperf +5 timing_mode, 4 arrival_pattern/)
    const { stdout: detail } = await aiperf(['plugins', 'timing_mode', 'concurrency'])
    expect(detail).toMatch(/package +@aiperf\/plugin-timing[\s\S]*errors +E_CONFIG[\s\S]*--concurrency +Sessions kept in flight\s+\(a whole\s+number of at\s+least 1, by default\s+1\)/)
    expect((await aiperf(['plugins', 'timing_mode', 'fixed-schedule'])).stdout).toContain('--fixed-schedule')
  })

  test('where a package lies, those that come with aiperf too, and what it depends on', async () => {
    expect((await aiperf(['plugins', 'inspect', '@aiperf/plugin-timing'])).stdout).toMatch(/^@aiperf\/plugin-timing \d+\.\d+\.\d+\n +from +comes with aiperf\n +folder +.*plugin-timing\n[\s\S]*timing_mode concurrency[\s\S]*depends on +@aiperf\/core/)
    expect(JSON.parse((await aiperf(['plugins', 'inspect', '@aiperf/plugin-timing', '--json'])).stdout)).toMatchObject([{ name: '@aiperf/plugin-timing', origin: 'bundled', dependencies: { '@aiperf/core': expect.any(String) } }])
    expect(await aiperf(['plugins', 'inspect', '@aiperf/plugin-timin'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean @aiperf/plugin-timing') })
  })

  test('a linked package that was not built is told so', async () => {
    const folder = emptyFolder()
    const env = home(folder)
    await aiperf(['plugins', 'create', 'metric', 'my-gap'], { env, cwd: folder })
    await aiperf(['plugins', 'link', 'aiperf-plugin-my-gap'], { env, cwd: folder })
    expect(await aiperf(['plugins', 'doctor', 'aiperf-plugin-my-gap'], { env })).toMatchObject({ code: 1, stdout: expect.stringMatching(/my-gap\.js does not exist: the\s+package\s+was\s+not\s+built/) })
  })
})
