import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { startMockServer } from '@aiperf/mock-server'
import { describe, expect, test } from 'vitest'
import { aiperf, emptyFolder, home } from './program.js'

const require = createRequire(import.meta.url)
const lines = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const TRACE = lines(
  { timestamp: 0, input_length: 1024, output_length: 4, hash_ids: [1, 2] },
  { timestamp: 500, input_length: 1100, output_length: 6, hash_ids: [1, 2, 3] },
  { timestamp: 1500, input_length: 300, output_length: 8, hash_ids: [9] },
)

function folderWith(name: string, content: string): string {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, name), content)
  return cwd
}

describe('analyze-trace', () => {
  test('prints a table, or JSON, and writes the same JSON to a file', async () => {
    const cwd = folderWith('trace.jsonl', TRACE)
    const text = await aiperf(['analyze-trace', '--input-file', 'trace.jsonl', '--output-file', 'a.json'], { cwd })
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(/Mean +Std Dev +Min +P25 +Median +P75 +Max\nInput Length +808 +/)
    const json = await aiperf(['analyze-trace', '--input-file', 'trace.jsonl', '--output', 'json'], { cwd })
    const analysis = JSON.parse(json.stdout) as Record<string, unknown>
    expect(analysis).toMatchObject({ total_requests: 3, unique_prefixes: 4, num_prefix_groups: 1, cache_hit_rate: 2 / 6, max_isl: 1100 })
    expect(JSON.parse(readFileSync(join(cwd, 'a.json'), 'utf8'))).toEqual(analysis)
  })

  test('predicts the hit rate of a server with a prefix cache', async () => {
    // Prompts of one to six blocks that begin alike in groups, the last block mostly partial.
    const rows = Array.from({ length: 60 }, (_, at) => {
      const ids = Array.from({ length: 1 + (at % 6) }, (_, block) => (block < 3 ? (at % 4) * 10 + block : 1000 + at * 10 + block))
      return { input_length: ids.length * 128 - (at % 5) * 20, output_length: 1, hash_ids: ids }
    })
    const cwd = folderWith('trace.jsonl', lines(...rows))
    const trace = ['--input-file', 'trace.jsonl', '--isl-block-size', '128']
    const server = await startMockServer({ model: { kvTokens: 10_000_000, cacheBlockTokens: 4, stepMs: 0.1, prefillMsPerToken: 0 } })
    const run = await aiperf(['profile', '--model', 'test-model', '--url', server.url, '--streaming', '--tokenizer', 'builtin', ...trace, '--custom-dataset-type', 'mooncake_trace', '--concurrency', '1', '--request-count', '60', '--ui', 'none', '--no-gpu-telemetry', '--no-server-metrics'], { cwd })
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    await server.close()
    expect(run).toMatchObject({ code: 0 })
    const count = (name: string): number => Number(new RegExp(`^vllm:prefix_cache_${name}_total\\S* (\\S+)$`, 'm').exec(metrics)![1])
    const { stdout } = await aiperf(['analyze-trace', ...trace, '--output', 'json'], { cwd })
    const predicted = (JSON.parse(stdout) as { prefix_cache_token_hit_rate: number }).prefix_cache_token_hit_rate
    expect(predicted).toBeGreaterThan(0.3)
    expect(Math.abs(count('hits') / count('queries') - predicted)).toBeLessThan(0.03)
  })

  test('tells everything that is wrong with the command line at once, and a missing file apart', async () => {
    const all = await aiperf(['analyze-trace', '--input-file', 'nowhere.jsonl', '--block-size', 'big', '--tabel'])
    expect(all).toMatchObject({ code: 2, stdout: '' })
    for (const part of ['E_CONFIG', 'nowhere.jsonl', 'does not exist', '--block-size must be', '--tabel is no flag of aiperf analyze-trace']) expect(all.stderr).toContain(part)
    const missing = await aiperf(['analyze-trace', '--input-file', 'nowhere.jsonl'])
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('E_INPUT_FILE') })
    expect(await aiperf(['analyze-trace'])).toMatchObject({ code: 2, stderr: expect.stringContaining('aiperf analyze-trace needs --input-file') })
  })

  test('a line that cannot be used ends it with file and line, or is left out', async () => {
    const cwd = folderWith('trace.jsonl', `${TRACE}{"input_length": -1}\n`)
    expect(await aiperf(['analyze-trace', '--input-file', 'trace.jsonl'], { cwd })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('trace.jsonl, line 4: input_length') })
    const { code, stdout } = await aiperf(['analyze-trace', '--input-file', 'trace.jsonl', '--on-bad-line', 'skip', '--output', 'json'], { cwd })
    expect({ code, requests: (JSON.parse(stdout) as { total_requests: number }).total_requests }).toEqual({ code: 0, requests: 3 })
  })
})

describe('validate', () => {
  test('says what a dataset holds', async () => {
    const cwd = folderWith('data.jsonl', lines({ text: 'one' }, { text: 'two', session_id: 'a' }, { text: 'three', session_id: 'a' }))
    const { code, stdout } = await aiperf(['validate', '--input-file', 'data.jsonl', '--output', 'json'], { cwd })
    expect({ code, found: JSON.parse(stdout) as object }).toMatchObject({ code: 0, found: { format: 'single_turn', valid: true, sessions: 2, turns: 3, bad: [] } })
  })

  test('lists every bad line, up to a limit, and fails', async () => {
    const cwd = folderWith('data.jsonl', `${TRACE}nonsense\n{"timestamp": 1, "input_length": "x"}\n{"input_length": 5}\n`)
    const { code, stdout, stderr } = await aiperf(['validate', '--input-file', 'data.jsonl', '--limit', '2'], { cwd })
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
    expect(stdout).toMatch(/3 bad lines, the first 2:\n.*line 4: expected a JSON object.*\n.*line 5: input_length/)
  })

  test('a trace whose first record has no time stamp needs none', async () => {
    const cwd = folderWith('trace.jsonl', lines({ input_length: 5, output_length: 2 }, { input_length: 7, output_length: 2 }))
    const plain = ['validate', '--input-file', 'trace.jsonl', '--output', 'json']
    expect((await aiperf(plain, { cwd })).code).toBe(0)
    expect(JSON.parse((await aiperf([...plain, '--fixed-schedule'], { cwd })).stdout)).toMatchObject({ valid: false, badCount: 2 })
  })
})

test('synthesize agentic-code makes the same dataset for the same seed, which a run can read', async () => {
  const cwd = emptyFolder()
  const make = async (output: string): Promise<string> => {
    const { code, stderr } = await aiperf(['synthesize', 'agentic-code', '--num-sessions', '3', '--seed', '7', '--output', output], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [folder] = readdirSync(join(cwd, output))
    expect(readdirSync(join(cwd, output, folder!)).sort()).toEqual(['cache_explorer.html', 'comparison.txt', 'dataset.jsonl', 'manifest.json', 'quality.json', 'report.html', 'simulation.html'])
    return join(cwd, output, folder!, 'dataset.jsonl')
  }
  const [one, other] = [await make('one'), await make('other')]
  expect(readFileSync(one, 'utf8')).toBe(readFileSync(other, 'utf8'))
  expect(JSON.parse((await aiperf(['validate', '--input-file', one, '--output', 'json'])).stdout)).toMatchObject({ valid: true, sessions: 3, format: 'mooncake_trace' })
})

test("a vendor's tool is listed, explained and run like ours, from its manifest until it runs", async () => {
  const folder = emptyFolder()
  const directory = join(folder, 'acme')
  mkdirSync(join(directory, 'node_modules/@aiperf'), { recursive: true })
  symlinkSync(dirname(require.resolve('@aiperf/core/package.json')), join(directory, 'node_modules/@aiperf/core'), 'junction')
  symlinkSync(dirname(createRequire(require.resolve('@aiperf/core/package.json')).resolve('zod/package.json')), join(directory, 'node_modules/zod'), 'junction')
  const meta = { description: 'Count the words of a file' }
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: '@acme/aiperf-words', version: '1.0.0', type: 'module', oclif: {}, aiperf: { api: 1, contributes: { tool: { 'count-words': { entry: './words.js', options: './words.options.js', meta } } } } }))
  writeFileSync(join(directory, 'words.options.js'), `import { z } from 'zod'
export default z.strictObject({ file: z.string().describe('Text').meta({ flag: '--file', input: 'file' }), most: z.int().default(9).describe('Most').meta({ flag: '--most' }) })`)
  writeFileSync(join(directory, 'words.js'), `import { defineTool } from '@aiperf/core'
export const check = ({ most }) => (most < 1 ? [{ flags: ['--most'], message: '--most must not be 0.' }] : [])
export default defineTool({ create: ({ options }) => ({ async run(host) {
  const report = host.report('fail')
  const tokenizer = await host.tokenizer('builtin')
  let words = 0
  for await (const { text } of host.openSource(options.file, report).lines()) words += tokenizer.count(text)
  host.print(words + ' of ' + options.most + '\\n')
  return words > options.most ? 3 : 0
} }) })`)
  execFileSync(process.execPath, [join(dirname(require.resolve('@aiperf/core/package.json')), 'bin/aiperf-manifest.js'), directory])
  const env = home(folder)
  await aiperf(['plugins', 'link', directory, '--no-install'], { env })
  writeFileSync(join(folder, 'text.txt'), 'one two three\n\nfour\n')
  const run = (...args: string[]) => aiperf(args, { env, cwd: folder })
  expect((await run('tool')).stdout).toMatch(/count-words +@acme\/aiperf-words 1\.0\.0 +Count the words/)
  expect((await run('plugins', 'tool')).stdout).toContain('count-words')
  expect((await run('tool', 'count-words', '--help')).stdout).toMatch(/\$ aiperf tool count-words --file VALUE[\s\S]*--most <value>\n +Most \[default: 9\]/)
  expect(await run('tool', 'count-words', '--file', 'text.txt')).toMatchObject({ code: 0, stdout: '4 of 9\n' })
  expect(await run('tool', 'count_words', '--file=text.txt', '--most', '2')).toMatchObject({ code: 3, stdout: '4 of 2\n' })
  expect(await run('tool', 'count-words', '--file', 'text.txt', '--most', '0')).toMatchObject({ code: 2, stderr: expect.stringContaining('--most must not be 0') })
  expect(await run('tool', 'count-word')).toMatchObject({ code: 2, stderr: expect.stringMatching(/E_PLUGIN_UNKNOWN[\s\S]*count-words/) })
})
