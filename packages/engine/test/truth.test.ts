import { afterEach, describe, expect, it } from 'vitest'
import { startMockServer, type MockServer } from '@aiperf/mock-server'
import { profile } from '../test-support/profile.js'

let server: MockServer
afterEach(() => server.close())

/** The run's clock is anchored to the wall clock at one tick of it: both sides' stamps agree to this, ns. */
const ANCHOR_NS = 1.5e6

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

describe('what is measured is what happened', () => {
  it('every token is stamped after it was sent, in order, and as many as were sent', async () => {
    server = await startMockServer({ port: 0, seed: 3, ttftMs: 30, ttftStddevMs: 10, ttftDistribution: 'normal', itlMs: 8, itlStddevMs: 2, itlDistribution: 'normal' })
    const run = await profile(server.url, '--streaming --isl 30 --osl 12 --random-seed 7 --concurrency 4 --request-count 40')
    const truth = new Map(server.truth().map((t) => [t.requestId, t]))
    const originNs = BigInt(run.result.manifest.startUnixNs)
    const late: number[] = []
    const ttftOff: number[] = []
    const itlOff: number[] = []
    for (const row of run.rows) {
      const sent = truth.get(run.result.requestId(row as never))!
      const arrivalNs = Number(BigInt(sent.arrivalUnixNs) - originNs)
      expect(row.tokenNs).toHaveLength(sent.sentUs.length)
      expect(row.dispatchedNs).toBeLessThan(arrivalNs + ANCHOR_NS)
      row.tokenNs.forEach((ns, i) => {
        const sentNs = arrivalNs + sent.sentUs[i]! * 1000
        expect(ns).toBeGreaterThan(sentNs - ANCHOR_NS)
        if (i > 0) expect(ns).toBeGreaterThanOrEqual(row.tokenNs[i - 1]!)
        late.push(ns - sentNs)
      })
      ttftOff.push(row.firstTokenNs - row.dispatchedNs - sent.sentUs[0]! * 1000)
      const last = sent.sentUs.length - 1
      itlOff.push(Math.abs((row.lastTokenNs - row.firstTokenNs) / last - ((sent.sentUs[last]! - sent.sentUs[0]!) * 1000) / last))
    }
    // Against times of 30 and 8 ms; a loaded machine shows in the tails, not in these.
    expect(median(late) / 30e6).toBeLessThan(0.2)
    expect(median(ttftOff) / 30e6).toBeLessThan(0.2)
    expect(median(itlOff) / 8e6).toBeLessThan(0.1)
  })

  it('token sums and counts are those of the server, to the last one', async () => {
    server = await startMockServer({ port: 0, seed: 3, ttftMs: 2, itlMs: 1, usage: 'always', reasoningShare: 0.3 })
    const run = await profile(server.url, '--streaming --isl 30 --osl 20 --random-seed 7 --concurrency 4 --request-count 30 --use-server-token-count')
    const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0)
    const { metrics } = run.result.profiling
    expect(metrics.get('total_osl')!.avg).toBe(sum(server.truth().map((t) => t.tokens)))
    expect(metrics.get('total_isl')!.avg).toBe(sum(server.truth().map((t) => t.promptTokens)))
    expect(metrics.get('total_reasoning_tokens')!.avg! + metrics.get('total_output_tokens')!.avg!).toBe(metrics.get('total_osl')!.avg)
    expect(metrics.get('request_count')!.avg).toBe(server.truth().length)
  })
})
