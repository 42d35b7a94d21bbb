import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startMockServer, type MockServer, type MockServerOptions } from '@aiperf/mock-server'
import { metric, profile } from '../test-support/profile.js'

let server: MockServer | undefined
let own: Server | undefined
const start = async (options: MockServerOptions = {}): Promise<string> => {
  server = await startMockServer({ port: 0, ttftMs: 5, itlMs: 1, seed: 1, ...options })
  return server.url
}
afterEach(async () => {
  await server?.close()
  server = undefined
  own?.closeAllConnections()
  own?.close()
  own = undefined
})
const chat = '--streaming --isl 20 --osl 5 --random-seed 7 --concurrency 2 --request-count 6'

/** A server of the test's own, answering by path. */
async function answer(routes: Record<string, (times: number) => [status: number, body: string]>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  own = createServer((request, response) => {
    request.resume()
    const path = request.url ?? ''
    asked.push(`${request.method} ${path}`)
    const [status, body] = routes[path]?.(asked.filter((a) => a.endsWith(` ${path}`)).length) ?? [404, '{}']
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => own!.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(own.address() as AddressInfo).port}`, asked }
}
const ANSWER = JSON.stringify({ object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }] })

describe('before the load', () => {
  it('waits for a server that is loading, and starts when it answers', async () => {
    const { url, asked } = await answer({ '/v1/chat/completions': (times) => (times < 3 ? [503, 'loading'] : [200, ANSWER]) })
    // Less time than one probe may take: what is left is a fraction of a millisecond more or less.
    const run = await profile(url, '--isl 20 --osl 5 --concurrency 1 --request-count 2 --wait-for-model-timeout 9 --wait-for-model-interval 0.05')
    expect(run.exitCode).toBe(0)
    // Two refusals, the probe that was answered, two requests of the load.
    expect(asked).toHaveLength(5)
  })

  it('says what a server that will never answer replied', async () => {
    const { url } = await answer({ '/v1/chat/completions': () => [404, '{"error":"no such model"}'] })
    await expect(profile(url, '--isl 20 --osl 5 --concurrency 1 --request-count 2 --wait-for-model-timeout 20')).rejects.toMatchObject({ code: 'E_SERVER', message: expect.stringContaining('no such model') })
  })

  it('empties the prefix cache when asked to, with patience', async () => {
    const { url, asked } = await answer({ '/v1/chat/completions': () => [200, ANSWER], '/reset_prefix_cache': (times) => (times === 1 ? [503, 'busy'] : [200, '']) })
    const run = await profile(url, '--isl 20 --osl 5 --concurrency 1 --request-count 2 --reset-kv-cache')
    expect(run.exitCode).toBe(0)
    expect(asked.slice(0, 3)).toEqual(['POST /reset_prefix_cache', 'POST /reset_prefix_cache', 'POST /v1/chat/completions'])
  })

  it('turns the profiler of the server on and off around the measured phase', async () => {
    const { url, asked } = await answer({ '/v1/chat/completions': () => [200, ANSWER], '/start_profile': () => [200, ''], '/stop_profile': () => [200, ''] })
    await profile(url, '--isl 20 --osl 5 --concurrency 1 --request-count 2 --warmup-request-count 1 --server-profiler')
    expect(asked.map((a) => a.split('/').at(-1))).toEqual(['completions', 'start_profile', 'completions', 'completions', 'stop_profile'])
  })
})

describe('beside the load', () => {
  it('measures the network, and states latencies without it', async () => {
    const run = await profile(await start(), `${chat} --network-latency-automatic`)
    const rtt = metric(run, 'network_rtt')!
    expect(rtt).toBeGreaterThan(0)
    expect(metric(run, 'network_adjusted_request_latency')!).toBeCloseTo(metric(run, 'request_latency')! - rtt, 6)
    const lines = readFileSync(join(run.directory, 'profile_export_network_latency.jsonl'), 'utf8').trim().split('\n').map((l) => JSON.parse(l) as { rtt_ms: number; timestamp_ns: number })
    expect(lines.length).toBeGreaterThanOrEqual(5)
    expect(lines.every((l) => l.rtt_ms > 0 && l.timestamp_ns > 1e18)).toBe(true)
  })

  it('sends the headers that identify a session, the same for all its turns', async () => {
    const url = await start({ captureRequests: true })
    await profile(url, '--streaming --isl 20 --osl 5 --session-turns-mean 2 --num-sessions 3 --concurrency 2 --header X-Own:yes --api-key secret')
    const bySession = new Map<string, string[]>()
    for (const { headers } of server!.truth()) {
      const id = headers!['x-correlation-id']!
      expect(headers!['x-session-affinity']).toBe(id)
      expect(headers).toMatchObject({ 'x-own': 'yes', authorization: 'Bearer secret', accept: 'text/event-stream', 'user-agent': expect.stringMatching(/^aiperf\//) })
      bySession.set(id, [...(bySession.get(id) ?? []), headers!['x-request-id']!])
    }
    expect([...bySession.values()].map((ids) => ids.length)).toEqual([2, 2, 2])
    expect(new Set([...bySession.values()].flat()).size).toBe(6)
  })

  it('keeps a connection for each session when asked to, and none when asked to', async () => {
    const url = await start()
    await profile(url, '--streaming --isl 20 --osl 5 --session-turns-mean 3 --num-sessions 4 --concurrency 2 --connection-reuse-strategy sticky-user-sessions')
    const sticky = new Map<string, Set<number>>()
    for (const t of server!.truth()) sticky.set(t.correlationId, (sticky.get(t.correlationId) ?? new Set()).add(t.connection))
    expect([...sticky.values()].every((connections) => connections.size === 1)).toBe(true)
    await server!.close()
    await profile(await start(), `${chat} --connection-reuse-strategy never`)
    expect(new Set(server!.truth().map((t) => t.connection)).size).toBe(6)
  })
})
