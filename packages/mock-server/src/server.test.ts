import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { beforeAll, expect, test } from 'vitest'
import { chat, eventsOf } from '../test/chat.js'
import { startMockServer, type MockServer, type Route } from './index.js'

const folder = fileURLToPath(new URL('..', import.meta.url))

beforeAll(() => {
  // A thread or process of its own runs the built package.
  execFileSync(process.execPath, [fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url)), '-b'], { cwd: folder })
})

test('it runs in a worker thread', async () => {
  const code = `
    import { parentPort, workerData } from 'node:worker_threads'
    const { startMockServer } = await import(workerData)
    const server = await startMockServer({ ttftMs: 5, itlMs: 1, outputTokens: 4 })
    parentPort.postMessage(server.port)
    parentPort.once('message', async () => {
      parentPort.postMessage(server.truth())
      await server.close()
    })`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: new URL('../dist/index.js', import.meta.url).href })
  const [port] = (await once(worker, 'message')) as [number]
  expect(eventsOf(await chat({ port } as MockServer))).toHaveLength(6)
  worker.postMessage('truth')
  expect((await once(worker, 'message'))[0]).toMatchObject([{ tokens: 4, ending: 'complete' }])
  expect(await once(worker, 'exit')).toEqual([0])
})

test('it runs as a program, says where it listens, and ends on SIGTERM', async () => {
  const child = spawn(process.execPath, ['dist/bin.js', '--port', '0', '--output-tokens', '2', '--no-done'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { port } = JSON.parse(line.toString()) as { port: number }
  expect((await chat({ port } as MockServer)).body).not.toContain('[DONE]')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a program with wrong options says so and exits with 2', async () => {
  const child = spawn(process.execPath, ['dist/bin.js', '--seed', '-1x'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const [message] = (await once(child.stderr, 'data')) as [Buffer]
  expect(message.toString()).toContain('--seed')
  expect(await once(child, 'exit')).toEqual([2, null])
})

test('closing breaks off what is open', async () => {
  const server = await startMockServer({ ttftMs: 60_000 })
  const answer = fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: '{"messages":[{"role":"user","content":"x"}]}' }).then(
    () => 'answered',
    () => 'broken off',
  )
  while (server.stats().inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  await server.close()
  expect(await answer).toBe('broken off')
})

test('routes can be added and replaced; one that fails is a 500', async () => {
  const routes: Route[] = [
    { method: 'GET', path: '/jobs/*', handle: (exchange) => exchange.respondJson(200, { path: exchange.request.path }) },
    { method: 'GET', path: '/health', handle: (exchange) => exchange.respond(503, 'text/plain', 'not yet') },
    {
      method: 'GET',
      path: '/broken',
      handle() {
        throw new Error('on purpose')
      },
    },
  ]
  await using server = await startMockServer({ routes })
  expect(await (await fetch(`${server.url}/jobs/7`)).json()).toEqual({ path: '/jobs/7' })
  expect((await fetch(`${server.url}/health`)).status).toBe(503)
  const broken = await fetch(`${server.url}/broken`)
  expect([broken.status, await broken.text()]).toEqual([500, expect.stringContaining('on purpose')])
})

test('hooks of vLLM answer 200', async () => {
  await using server = await startMockServer()
  for (const path of ['/start_profile', '/stop_profile', '/reset_prefix_cache']) {
    expect((await fetch(server.url + path, { method: 'POST' })).status, path).toBe(200)
  }
})
