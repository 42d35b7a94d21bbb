import type { PhaseInfo, Verdict } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import { FAILED, inMs, run, type MsFacts, type Options } from './evaluation.js'

const WARMED: Partial<PhaseInfo>[] = [{ kind: 'warmup' }, {}]

/** An answer of 100 ms with ten tokens, one in each chunk, at a time of its own. */
function answer(i: number, more: Partial<MsFacts> = {}): MsFacts {
  const at = i * 10
  return {
    phase: 1,
    conversation: i,
    turn: 0,
    dueNs: at,
    claimedNs: at,
    dispatchedNs: at + 0.1,
    tokensMs: Array.from({ length: 10 }, (_, k) => at + 50 + k * 5),
    endNs: at + 100,
    inputTokens: 100,
    outputTokens: 10,
    requestedTokens: 10,
    usagePrompt: 100,
    usageCompletion: 10,
    ...more,
  }
}
const answers = (count: number, more: (i: number) => Partial<MsFacts> = () => ({})): MsFacts[] => Array.from({ length: count }, (_, i) => answer(i, more(i)))

async function verdictOf(rows: readonly MsFacts[], options: Options = {}): Promise<Verdict> {
  return (await run(rows.map(inMs), { phases: WARMED, ...options })).verdict
}
const codes = ({ reasons }: Verdict): string[] => reasons.map(({ code, level }) => `${level} ${code}`)
const openLoop = (phase: Partial<PhaseInfo> = {}): Options => ({ phases: [{ kind: 'warmup' }, { mode: 'request_rate', ...phase }], mode: 'request_rate' })

describe('the verdict', () => {
  it('of a good run is valid, without reasons', async () => {
    expect(await verdictOf(answers(400))).toEqual({ verdict: 'valid', reasons: [] })
  })

  it('is that of the worst reason, which comes first', async () => {
    const rows = [...answers(30), ...Array.from({ length: 10 }, (_, i) => FAILED('http_error', { phase: 1, conversation: 100 + i, dispatchedNs: i, dueNs: i, endNs: i + 1 }))]
    const verdict = await verdictOf(rows, { phases: [{ index: 0 }, {}] })
    expect(verdict.verdict).toBe('invalid')
    expect(codes(verdict)).toEqual(['invalid error-rate', 'suspect too-few-samples', 'note no-warmup'])
  })

  it.each([
    [400, []],
    [100, ['note too-few-samples']],
    [20, ['suspect too-few-samples']],
  ])('of %i requests', async (count, expected) => {
    expect(codes(await verdictOf(answers(count)))).toEqual(expected)
  })

  it.each([
    [1, 'note'],
    [10, 'suspect'],
    [60, 'invalid'],
  ])('of 400 requests and %i failures: %s', async (failures, level) => {
    const failed = Array.from({ length: failures }, (_, i) => FAILED('timeout', { phase: 1, conversation: 1000 + i, dispatchedNs: i, dueNs: i, endNs: i + 1 }))
    expect(codes(await verdictOf([...answers(400), ...failed]))).toEqual([`${level} error-rate`])
  })

  it('of failures alone is invalid', async () => {
    expect(codes(await verdictOf([FAILED('connection', { phase: 1, dispatchedNs: 0, dueNs: 0, endNs: 1 })]))).toContain('invalid no-success')
  })

  it.each([
    [2, 'note'],
    [20, 'suspect'],
    [200, 'invalid'],
  ])('with %i unfinished requests: %s', async (unfinished, level) => {
    const cut = Array.from({ length: unfinished }, (_, i) => FAILED('censored', { phase: 1, conversation: 1000 + i, dispatchedNs: i, dueNs: i, endNs: 5000 }))
    expect(codes(await verdictOf([...answers(400), ...cut]))).toEqual([`${level} censored`])
  })

  it('of a run that did not end as planned', async () => {
    expect(codes(await verdictOf(answers(400), { complete: false }))).toEqual(['suspect incomplete'])
  })
})

describe('the load', () => {
  it.each([
    [1, []],
    [8, ['suspect schedule-lag']],
    [40, ['invalid schedule-lag']],
  ])('sent %i ms late', async (late, expected) => {
    // The latency itself does not change: 50 ms to the first token.
    const rows = answers(400, (i) => ({ dispatchedNs: i * 10 + late, tokensMs: [i * 10 + late + 50], outputTokens: 1, usageCompletion: 1, requestedTokens: 1, endNs: i * 10 + late + 60 }))
    expect(codes(await verdictOf(rows, openLoop()))).toEqual(expected)
  })

  it('of which less was sent than was due', async () => {
    const rows = answers(400, (i) => ({ dueNs: i * 9 }))
    const verdict = await verdictOf(rows, openLoop())
    expect(codes(verdict)).toContain('suspect rate-not-achieved')
    expect(verdict.reasons.find((r) => r.code === 'rate-not-achieved')?.value).toBeCloseTo(10, 1)
  })

  it('of another rate than asked for, beyond chance', async () => {
    expect(codes(await verdictOf(answers(1000), openLoop({ options: { rate: 100 } })))).toEqual([])
    expect(codes(await verdictOf(answers(1000), openLoop({ options: { rate: 120 } })))).toEqual(['suspect rate-not-offered'])
    expect(codes(await verdictOf(answers(1000), openLoop({ options: { rate: 120, rateRamp: { duration: 5 } } })))).toEqual([])
  })

  it('of which arrivals were dropped', async () => {
    const counts = { due: 500, skipped: 80, unsent: 20 } as PhaseInfo['counts']
    expect(codes(await verdictOf(answers(400), openLoop({ counts })))).toEqual(expect.arrayContaining(['suspect arrivals-dropped']))
  })

  it('that never reached its concurrency', async () => {
    const options: Options = { phases: [{ kind: 'warmup' }, { options: { concurrency: 64 } }] }
    expect(codes(await verdictOf(answers(400), options))).toEqual(['note concurrency-not-reached'])
    expect(codes(await verdictOf(answers(400), { phases: [{ kind: 'warmup' }, { options: { concurrency: 10 } }] }))).toEqual([])
  })
})

describe('the client', () => {
  const worker = (utilization: number, loopDelayP99Ms = 0): Options => ({ client: { threads: [{ role: 'pacer', id: 0, utilization: 1 }, { role: 'worker', id: 3, utilization, loopDelayP99Ms }] } })

  it.each([
    [worker(0.5), []],
    [worker(0.9), ['suspect client-saturated']],
    [worker(0.99), ['invalid client-saturated']],
    [worker(0.5, 4), []],
    [worker(0.5, 12), ['suspect client-delayed']],
    [worker(0.5, 30), ['invalid client-delayed']],
    [{ client: { cpuSeconds: 39, wallSeconds: 10, cores: 4 } }, ['suspect client-cpu']],
    [{ client: { backlogSeconds: 20 } }, ['note recorder-backlog']],
    [{ calibration: { floorLatencyP50Ms: 0.2, requestsPerSecond: 20_000, chunksPerSecond: 100_000 } }, []],
    [{ calibration: { floorLatencyP50Ms: 8 } }, ['suspect client-floor']],
    [{ calibration: { requestsPerSecond: 120 } }, ['suspect client-headroom']],
    [{ calibration: { requestsPerSecond: 120_000, chunksPerSecond: 1200 } }, ['suspect client-headroom']],
  ] satisfies [Options, string[]][])('%j', async (options, expected) => {
    expect(codes(await verdictOf(answers(400), options))).toEqual(expected)
  })
})

describe('the server', () => {
  it('that counts other tokens', async () => {
    expect(codes(await verdictOf(answers(400, () => ({ usageCompletion: 13 }))))).toEqual(['suspect token-mismatch'])
    expect(codes(await verdictOf(answers(400, () => ({ usageCompletion: 13 })), { useServerTokenCount: true }))).toEqual([])
  })

  it('whose chat template adds tokens, or that counts prompts in another way', async () => {
    expect(codes(await verdictOf(answers(400, () => ({ usagePrompt: 115 }))))).toEqual([])
    expect(codes(await verdictOf(answers(400, () => ({ usagePrompt: 140 }))))).toEqual(['note prompt-tokens'])
  })

  it('that answers at another length', async () => {
    expect(codes(await verdictOf(answers(400, () => ({ requestedTokens: 20 }))))).toEqual(['note output-length'])
  })

  it('whose cache was warm', async () => {
    const cached = answers(400, () => ({ usageCacheRead: 60 }))
    expect(codes(await verdictOf(cached))).toEqual(['suspect cache-contamination'])
    const predicted = answers(400, () => ({ usageCacheRead: 60, prefixHitBlocks: 6, prefixBlocks: 10 }))
    expect(codes(await verdictOf(predicted))).toEqual([])
  })

  it('that saw the same prompts again, also from the warm-up', async () => {
    expect(codes(await verdictOf(answers(400, (i) => ({ conversation: i % 100 }))))).toEqual(['note repeated-prompts'])
    const warmup = answers(400, () => ({ phase: 0 }))
    expect(codes(await verdictOf([...warmup, ...answers(400)]))).toEqual(['note repeated-prompts'])
    expect(codes(await verdictOf(answers(400, (i) => ({ conversation: 0, turn: i + 1 }))))).toEqual([])
  })

  it('that puts several tokens into a chunk, or drops connections', async () => {
    expect(codes(await verdictOf(answers(400, () => ({ outputTokens: 30, usageCompletion: 30, requestedTokens: 30 }))))).toEqual(['note batched-chunks'])
    expect(codes(await verdictOf(answers(400, (i) => ({ retried: i % 20 === 0 ? 1 : 0 }))))).toEqual(['note retried'])
  })
})
