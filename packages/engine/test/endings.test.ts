import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { buildIndex } from '@aiperf/core/host'
import { exportRun } from '@aiperf/engine'
import { startMockServer, type MockServer, type MockServerOptions } from '@aiperf/mock-server'
import { replyWith } from '../test-support/replies.js'
import { lateUrlStrategy } from '../test-support/slowed.js'
import { index, metric, modelOf, PACKAGES, profile, rowsOf, scratch, SOURCES } from '../test-support/profile.js'

let server: MockServer | undefined
const start = async (options: MockServerOptions = {}): Promise<string> => {
  server = await startMockServer({ port: 0, ttftMs: 5, itlMs: 1, seed: 1, ...options })
  return server.url
}
afterEach(async () => {
  await server?.close()
  server = undefined
})

const chat = '--streaming --isl 20 --osl 5 --random-seed 7'
const exporting = { index, console: { columns: 120, color: false, verbose: false, output: 'text' as const }, print: () => {}, warn: () => {} }

/** Every file below a folder but the journal, with its content. */
function files(folder: string, below = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(join(folder, below))) {
    const path = join(below, name)
    if (path === 'journal' || path === 'logs') continue
    if (statSync(join(folder, path)).isDirectory()) for (const [k, v] of files(folder, path)) found.set(k, v)
    else found.set(path, readFileSync(join(folder, path), 'latin1'))
  }
  return found
}

describe.skipIf(process.platform !== 'linux')('a disk that is full when the run ends', () => {
  it('is told as such; what was measured is shown and kept', async () => {
    const url = await start()
    let directory = ''
    // The manifest's next version goes to a device that is always full.
    const fill = (): void => {
      const next = join(directory, 'journal', 'manifest.json.part')
      if (server!.truth().length >= 10 && !existsSync(next)) symlinkSync('/dev/full', next)
    }
    const { exitCode, failures, rows, printed } = await profile(url, `${chat} --request-count 150`, { change: (model) => void (directory = model.artifacts.dir), ui: { update: fill } })
    expect(exitCode).toBe(1)
    expect(failures[0]).toMatchObject({ code: 'E_DISK', message: expect.stringMatching(/writing .*manifest\.json failed: ENOSPC/), hint: expect.stringContaining('--artifact-dir') })
    expect(rows.length).toBeGreaterThanOrEqual(10)
    expect(printed).toMatch(/succeeded/)
  })
})

describe('a run that ends well', () => {
  it('can be exported again from its journal, byte for byte', async () => {
    const run = await profile(await start(), `${chat} --concurrency 4 --request-count 30 --export-level raw --slice-duration 1`)
    const online = files(run.directory)
    for (const name of online.keys()) rmSync(join(run.directory, name))
    await exportRun(run.directory, exporting)
    expect(files(run.directory)).toEqual(online)
    expect([...online.keys()]).toEqual(expect.arrayContaining(['profile_export_aiperf.json', 'profile_export_aiperf.csv', 'profile_export.jsonl', 'profile_export_raw.jsonl', 'inputs.json', 'manifest.json']))
  })

  it('keeps warm-up out of the results, and does not let it change what is measured', async () => {
    const url = await start({ promptHash: true })
    const prompts = (ids: readonly string[]): (string | undefined)[] => ids.map((id) => server!.truth().find((t) => t.requestId === id)?.promptHash)
    const flags = `${chat} --concurrency 2 --request-count 8`
    const cold = await profile(url, flags)
    const warm = await profile(url, `${flags} --warmup-request-count 5`)
    const measured = warm.rows.filter((r) => r.phase === 1)
    expect(metric(warm, 'request_count')).toBe(8)
    expect(warm.result.warmup?.metrics.get('request_count')?.avg).toBe(5)
    const ids = (run: typeof cold, rows: typeof cold.rows): string[] => [...rows].sort((a, b) => a.session - b.session).map((r) => run.result.requestId(r as never))
    expect(prompts(ids(warm, measured))).toEqual(prompts(ids(cold, cold.rows)))
    const warmPrompts = new Set(prompts(ids(warm, warm.rows.filter((r) => r.phase === 0))))
    expect(prompts(ids(warm, measured)).some((p) => warmPrompts.has(p))).toBe(false)
  })
})

describe('a run that does not', () => {
  it('keeps every record when it is interrupted, and says so', async () => {
    const url = await start({ ttftMs: 30 })
    const interrupt = new AbortController()
    const run = await profile(url, `${chat} --concurrency 4 --request-count 100000 --num-dataset-entries 50`, {
      interrupt: interrupt.signal,
      ui: { update: (s) => void (s.completed >= 8 && interrupt.abort()) },
    })
    expect(run.exitCode).toBe(130)
    expect(run.result.manifest).toMatchObject({ wasCancelled: true, complete: false })
    const { counts } = run.result.phases[0]!.info
    expect(run.rows).toHaveLength(counts.sent)
    expect(counts.censored).toBe(run.rows.filter((r) => r.outcomeName === 'censored').length)
    expect(counts.censored).toBeGreaterThan(0)
    expect(metric(run, 'request_count')).toBe(counts.sent - counts.censored)
  })

  it('leaves what can be exported when it is killed', async () => {
    const url = await start({ ttftMs: 20 })
    const model = await modelOf(url, `${chat} --concurrency 4 --request-count 1000000 --num-dataset-entries 50`)
    const file = join(scratch(), 'run.json')
    writeFileSync(file, JSON.stringify({ model, index }))
    const child = fork(join(import.meta.dirname, '..', 'test-support', 'run-child.mjs'), [file], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    let said = ''
    child.stdout!.on('data', (d: Buffer) => (said += d.toString()))
    // Two flush intervals of the journal, seen by what has completed.
    while (Number(/completed (\d+)\s*$/.exec(said)?.[1] ?? 0) < 400) await new Promise((resolve) => setTimeout(resolve, 50))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { result } = await exportRun(model.artifacts.dir, exporting)
    expect(result.manifest).toMatchObject({ complete: false, incompleteReason: expect.stringContaining('killed') as string })
    expect(result.profiling.metrics.get('request_count')!.avg).toBeGreaterThan(50)
    expect(result.profiling.metrics.get('request_count')!.avg).toBe((await rowsOf(model.artifacts.dir)).length)
  })

  it('writes every file when no request succeeds', async () => {
    const run = await profile('http://127.0.0.1:9', `${chat} --concurrency 2 --request-count 4`)
    expect(run.exitCode).toBe(1)
    expect(run.rows.map((r) => [r.outcomeName, r.error!.type])).toEqual(Array(4).fill(['connection', 'ECONNREFUSED']))
    const text = [...files(run.directory).values()].join('\n')
    expect(text).not.toMatch(/\bNaN\b|\bInfinity\b/)
    const json = JSON.parse(readFileSync(join(run.directory, 'profile_export_aiperf.json'), 'utf8'))
    expect(json.error_request_count.avg).toBe(4)
    expect(json.request_latency).toBeUndefined()
  })
})

describe('faults of the program and its surroundings', () => {
  it.each(['--concurrency 2', '--request-rate 200'])('what loads slowly in a worker delays the first request and fails nothing: %s', async (load) => {
    const url = await start()
    const run = await profile(url, `${chat} ${load} --request-count 6`, { index: lateUrlStrategy(400), change: (model) => (model.endpoint.urlStrategy = 'late') })
    expect(run.failures).toEqual([])
    expect(metric(run, 'request_count')).toBe(6)
  })

  it('a worker that dies ends the run with an error, and every record so far is kept', async () => {
    const url = await start()
    const plugin = scratch()
    const meta = { description: 'dies in mid-run', schemes: ['http'] }
    writeFileSync(join(plugin, 'package.json'), JSON.stringify({ name: 'mortal', version: '1.0.0', type: 'module', aiperf: { api: 1, contributes: { transport: { mortal: { entry: './mortal.js', meta } } } } }))
    writeFileSync(
      join(plugin, 'mortal.js'),
      `let left = 60
       export default { kind: 'transport', api: 1, create: async (context) => {
         const { default: http } = await import(${JSON.stringify(pathToFileURL(join(PACKAGES, 'plugin-endpoints', 'dist', 'http.js')).href)})
         const inner = http.create({ ...context, options: { keepAliveSeconds: 60, dnsTtlSeconds: 60 } })
         return { open: (t, n) => inner.open(t, n), close: () => inner.close(), send(request, sink) {
           if (left-- === 0) setTimeout(() => { throw new Error('worn out') }, 1200)
           return inner.send(request, sink)
         } }
       } }`,
    )
    const wide = buildIndex([...SOURCES, { directory: plugin, origin: 'linked' }])
    const run = await profile(url, `${chat} --concurrency 4 --request-count 1000000 --num-dataset-entries 20`, { index: wide, change: (model) => (model.transport = { type: 'mortal', options: {} }) })
    expect(run.failures[0]).toMatchObject({ code: 'E_THREAD', message: expect.stringContaining('worn out') })
    expect(run.exitCode).toBe(1)
    expect(run.result.manifest.complete).toBe(false)
    expect(run.rows.length).toBeGreaterThan(60)
    expect(metric(run, 'request_count')).toBe(run.rows.filter((r) => r.success).length)
  })

  it.skipIf(process.platform === 'win32')('a disk that is full ends the run with an error, and what was written can be exported', async () => {
    const url = await start()
    const model = await modelOf(url, `${chat} --concurrency 8 --request-count 1000000 --num-dataset-entries 20`)
    const file = join(scratch(), 'run.json')
    writeFileSync(file, JSON.stringify({ model, index }))
    // No file may grow beyond 3,000 blocks of 512 bytes or KiB, whichever the shell counts in: a few batches of the journal.
    const child = spawn('sh', ['-c', `ulimit -f 3000 && exec "${process.execPath}" "${join(import.meta.dirname, '..', 'test-support', 'run-child.mjs')}" "${file}"`], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (d: Buffer) => (said += d.toString()))
    await once(child, 'exit')
    expect(said).toMatch(/E_DISK/)
    const { result } = await exportRun(model.artifacts.dir, exporting)
    expect(result.manifest.complete).toBe(false)
    expect(result.profiling.metrics.get('request_count')!.avg).toBeGreaterThan(100)
  })

  it('a tokenizer that cannot be had ends the run before a request is sent', async () => {
    const url = await start()
    await expect(profile(url, `${chat} --concurrency 1 --request-count 1`, { change: (model) => (model.tokenizer.name = '/no/such/folder') })).rejects.toMatchObject({ code: 'E_INPUT_FILE' })
    expect(server!.truth()).toHaveLength(0)
  })
})

describe('requests that fail', () => {
  const faults: [string, MockServerOptions['faults'], string][] = [
    ['an error status', { errorRate: 1, errorStatuses: [429] }, 'http_error'],
    ['a stream cut without an end', { cutRate: 1 }, 'incomplete'],
    ['a reset in mid-stream', { resetRate: 1 }, 'connection'],
    ['a body cut inside a chunk', { truncateRate: 1 }, 'connection'],
    ['an error inside the stream', { errorEventRate: 1 }, 'server_error'],
  ]
  it.each(faults)('are told apart: %s', async (_, fault, outcome) => {
    const run = await profile(await start({ faults: fault! }), `${chat} --concurrency 1 --request-count 3`)
    expect(run.rows.map((r) => r.outcomeName)).toEqual(Array(3).fill(outcome))
    expect(run.exitCode).toBe(1)
    expect(run.result.profiling.errors[0]).toMatchObject({ count: 3, error: { category: outcome } })
  })

  it('time out by the limit the user set', async () => {
    const run = await profile(await start({ ttftMs: 3000 }), `${chat} --concurrency 1 --request-count 2 --request-timeout-seconds 0.2`)
    expect(run.rows.map((r) => r.outcomeName)).toEqual(['timeout', 'timeout'])
  })
})

describe('an answer without text', () => {
  const reply = async (body: string, type: string) => {
    const server = await replyWith(Buffer.from(body), { status: 200, content_type: type, splits: null, close: 'clean' })
    const run = await profile(server.url, '--streaming --use-server-token-count --isl 20 --osl 5 --concurrency 1 --request-count 1')
    await server.close()
    return run.rows[0]!
  }
  const chunk = (choice: object): string => `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, ...choice }] })}\n\n`

  it('is one where the model stopped at once', async () => {
    const row = await reply(`${chunk({ delta: { role: 'assistant' } })}${chunk({ finish_reason: 'stop' })}data: [DONE]\n\n`, 'text/event-stream')
    expect([row.outcomeName, row.contentEvents]).toEqual(['done', 0])
    expect(row.firstTokenNs).toBeNaN()
  })

  it.each([
    ['after the end mark', 'data: [DONE]\n\n', 'done', true],
    ['after the finish reason', '', 'finish', true],
  ])('is whole when the connection breaks %s', async (_, end, outcome, success) => {
    const body = `${chunk({ delta: { content: 'yes' } })}${chunk({ finish_reason: 'stop' })}${end}`
    const server = await replyWith(Buffer.from(body), { status: 200, content_type: 'text/event-stream', splits: null, close: 'abrupt' })
    const run = await profile(server.url, '--streaming --use-server-token-count --isl 20 --osl 5 --concurrency 1 --request-count 1')
    await server.close()
    expect([run.rows[0]!.outcomeName, run.rows[0]!.success]).toEqual([outcome, success])
  })

  it.each([
    ['an empty body', '', 'text/event-stream', 'incomplete'],
    ['an end mark alone', 'data: [DONE]\n\n', 'text/event-stream', 'invalid'],
    ['an empty JSON body', '', 'application/json', 'invalid'],
    ['a page of HTML', '<html><body>hello</body></html>', 'text/html', 'invalid'],
  ])('is none where there was no answer: %s', async (_, body, type, outcome) => {
    expect((await reply(body, type)).outcomeName).toBe(outcome)
  })
})
