import { afterEach, describe, expect, it } from 'vitest'
import { startMockServer, type MockServer, type MockServerOptions, type TruthRecord } from '@aiperf/mock-server'
import { metric, profile } from '../test-support/profile.js'

let server: MockServer
const start = async (options: MockServerOptions = {}): Promise<string> => {
  server = await startMockServer({ port: 0, ttftMs: 5, itlMs: 1, seed: 1, ...options })
  return server.url
}
afterEach(() => server.close())

/** Share of the time between the first and the last arrival in which `count` requests were in flight, as the server saw it. */
function shareOfTime(truth: readonly TruthRecord[], count: number): number {
  const arrivals = truth.map((t) => Number(BigInt(t.arrivalUnixNs) - BigInt(truth[0]!.arrivalUnixNs)) / 1000)
  const steps = truth.flatMap((t, i) => [[arrivals[i]!, 1], [arrivals[i]! + t.endUs, -1]] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const [from, to] = [arrivals[count - 1]!, Math.max(...arrivals)]
  let level = 0
  let before = 0
  let at = 0
  for (const [us, delta] of steps) {
    if (level === count) at += Math.max(0, Math.min(us, to) - Math.max(before, from))
    level += delta
    before = us
  }
  return at / (to - from)
}

const chat = '--streaming --isl 20 --osl 5 --random-seed 7'

describe('closed loop', () => {
  it('keeps the asked number in flight, never more, and sends exactly the count', async () => {
    const url = await start({ ttftMs: 150 })
    const run = await profile(url, `${chat} --concurrency 8 --request-count 64`)
    expect(run.exitCode).toBe(0)
    expect(run.rows).toHaveLength(64)
    expect(server.stats().maxInFlight).toBe(8)
    expect(run.rows.every((r) => r.outcomeName === 'done')).toBe(true)
    expect(metric(run, 'request_count')).toBe(64)
    // Between the first fill and the drain, eight are in flight nearly all the time.
    expect(shareOfTime(server.truth(), 8)).toBeGreaterThan(0.8)
  })

  it('counts input and output tokens as the server does', async () => {
    const url = await start({ usage: 'always' })
    const run = await profile(url, `${chat} --concurrency 2 --request-count 6`)
    expect(run.rows.map((r) => r.inputTokens)).toEqual(Array(6).fill(20))
    expect(run.rows.map((r) => r.outputTokens)).toEqual(run.rows.map((r) => r.usageCompletion))
    expect(run.rows.map((r) => r.contentEvents)).toEqual(Array(6).fill(5))
  })

  it('stops at the duration and keeps what was in flight as unfinished', async () => {
    const url = await start({ ttftMs: 5000 })
    const run = await profile(url, `${chat} --concurrency 3 --benchmark-duration 0.3 --benchmark-grace-period 0`)
    expect(run.rows.map((r) => r.outcomeName)).toEqual(['censored', 'censored', 'censored'])
    const [phase] = run.result.phases
    expect(phase!.info.endedBy).toBe('duration')
    expect(phase!.info.counts.censored).toBe(3)
  })

  it('climbs to the limit along a ramp', async () => {
    const url = await start({ ttftMs: 30 })
    const run = await profile(url, `${chat} --concurrency 6 --concurrency-ramp-duration 0.6 --benchmark-duration 1`)
    const firstAt = (n: number): number => run.rows.find((r) => r.session === n)!.dispatchedNs - run.rows[0]!.dispatchedNs
    // Sessions 1 … 5 are the ones each step lets in, as long as none has ended: 30 ms of service against 120 ms steps.
    expect(server.stats().maxInFlight).toBe(6)
    expect(firstAt(1)).toBeGreaterThan(20e6)
  })
})

describe('open loop', () => {
  const law = (workers: number): string => `${chat} --request-rate 300 --arrival-pattern poisson --request-count 90 --workers-max ${workers}`

  it('has the same schedule, sessions and prompts whatever the number of workers', async () => {
    const url = await start({ promptHash: true })
    const plans: { due: number[]; prompts: string[] }[] = []
    for (const workers of [1, 2, 4]) {
      const run = await profile(url, law(workers))
      const startNs = run.result.phases[0]!.info.startNs
      const bySession = [...run.rows].sort((a, b) => a.session - b.session)
      const prompts = new Map(server.truth().map((t) => [t.requestId, t.promptHash ?? '']))
      plans.push({ due: bySession.map((r) => Math.round(r.dueNs - startNs)), prompts: bySession.map((r) => prompts.get(run.result.requestId(r as never))!) })
      expect(new Set(run.rows.map((r) => r.worker)).size).toBe(workers)
    }
    expect(plans[0]!.prompts.every((p) => p !== undefined && p !== '')).toBe(true)
    expect(plans[1]).toEqual(plans[0])
    expect(plans[2]).toEqual(plans[0])
  })

  it('never sends before a request is due, and states lag and rates', async () => {
    const url = await start()
    const run = await profile(url, law(2))
    expect(run.rows.every((r) => r.dispatchedNs >= r.dueNs && r.claimedNs >= r.dueNs)).toBe(true)
    expect(run.result.phases[0]!.info.counts).toMatchObject({ due: 90, sent: 90, skipped: 0, unsent: 0, completed: 90 })
    expect(metric(run, 'schedule_lag', 'count')).toBe(90)
  })

  it.each(['', '--concurrency 500', '--concurrency 40'])('ends with what was due before the end, and sends nothing that is due later %s', async (limit) => {
    const url = await start({ ttftMs: 20 })
    const run = await profile(url, `${chat} --request-rate 200 --arrival-pattern constant --benchmark-duration 0.5 ${limit}`)
    const { counts, startNs } = run.result.phases[0]!.info
    expect(counts).toMatchObject({ due: 100, skipped: 0 })
    expect(counts.sent + counts.unsent).toBe(100)
    expect(counts.sessionsStarted).toBe(counts.sent)
    expect(run.rows.length).toBe(counts.sent)
    for (const row of run.rows) expect(row.dueNs - startNs).toBeLessThan(0.5e9)
  })

  it('queues arrivals that find no slot, and counts them from when they were due', async () => {
    const url = await start({ ttftMs: 50 })
    const run = await profile(url, `${chat} --request-rate 100 --arrival-pattern constant --concurrency 2 --request-count 20`)
    expect(run.rows).toHaveLength(20)
    expect(server.stats().maxInFlight).toBe(2)
    // Two at a time, over 50 ms each, arrivals every 10 ms: the last waits far longer than the first.
    const waits = run.rows.map((r) => r.dispatchedNs - r.dueNs)
    expect(waits.at(-1)!).toBeGreaterThan(waits[0]! + 100e6)
  })

  it('drops arrivals that find no slot when asked to, and says how many', async () => {
    const url = await start({ ttftMs: 50 })
    const run = await profile(url, `${chat} --request-rate 200 --arrival-pattern constant --concurrency 2 --benchmark-duration 0.5 --overload skip`)
    const { counts } = run.result.phases[0]!.info
    // What comes due at the very end may find no worker that looks at it in time: it is counted as never reached.
    expect(counts.due).toBeGreaterThanOrEqual(counts.sent + counts.skipped)
    expect(counts.due).toBeLessThanOrEqual(counts.sent + counts.skipped + counts.unsent)
    expect(counts.skipped).toBeGreaterThan(counts.sent)
  })
})

describe('limits and cancellation', () => {
  it('never has more requests before their first token than allowed', async () => {
    const url = await start({ ttftMs: 20, itlMs: 10 })
    const run = await profile(url, `${chat} --concurrency 8 --prefill-concurrency 2 --request-count 32 --workers-max 2`)
    expect(run.rows).toHaveLength(32)
    const events = run.rows.flatMap((r) => [[r.dispatchedNs, 1], [r.firstTokenNs, -1]] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1])
    let now = 0
    let most = 0
    for (const [, delta] of events) most = Math.max(most, (now += delta))
    expect(most).toBe(2)
    expect(server.stats().maxInFlight).toBeGreaterThan(2)
    // What waits for such a slot is not late: it is due when it gets one.
    const first = Math.min(...run.rows.map((r) => r.firstTokenNs))
    expect(run.rows.filter((r) => r.dueNs < first)).toHaveLength(2)
  })

  it('cancels the asked share after it was sent, by the seed, and counts it apart from failures', async () => {
    const url = await start({ ttftMs: 200 })
    const flags = `${chat} --concurrency 10 --request-count 40 --request-cancellation-rate 50 --request-cancellation-delay 0.01`
    const runs = [await profile(url, flags), await profile(url, flags)]
    const cancelled = runs.map((run) => run.rows.filter((r) => r.outcomeName === 'cancelled').map((r) => r.session))
    expect(cancelled[0]!.length).toBeGreaterThan(8)
    expect(cancelled[0]!.length).toBeLessThan(32)
    expect(cancelled[1]!.sort()).toEqual(cancelled[0]!.sort())
    expect(runs[0]!.result.phases[0]!.info.counts).toMatchObject({ cancelled: cancelled[0]!.length, errors: 0 })
  })

  it('ends the run when too many requests fail', async () => {
    const url = await start({ faults: { errorRate: 1, errorStatuses: [503] } })
    const run = await profile(url, `${chat} --concurrency 2 --request-count 100000 --num-dataset-entries 50 --failed-request-threshold 0.5`)
    expect(run.result.phases[0]!.info.endedBy).toBe('error-threshold')
    expect(run.exitCode).toBe(3)
    expect(run.rows.length).toBeLessThan(100000)
  })
})

describe('sessions', () => {
  const turns = '--session-turns-mean 3 --session-turns-stddev 0'

  it('plays the turns of a session in order, with the replies so far', async () => {
    const url = await start({ captureRequests: true })
    const run = await profile(url, `${chat} ${turns} --concurrency 3 --num-sessions 6 --workers-max 2`)
    expect(run.rows).toHaveLength(18)
    const bySession = new Map<string, { messages: { role: string; content: string }[] }[]>()
    for (const t of server.truth()) bySession.set(t.correlationId, [...(bySession.get(t.correlationId) ?? []), JSON.parse(t.body!)])
    expect(bySession.size).toBe(6)
    for (const bodies of bySession.values()) {
      expect(bodies.map((b) => b.messages.map((m) => m.role).join(' '))).toEqual(['user', 'user assistant user', 'user assistant user assistant user'])
      expect(bodies[2]!.messages.slice(0, 3)).toEqual(bodies[1]!.messages)
      expect(bodies[1]!.messages[1]!.content.length).toBeGreaterThan(0)
    }
    // A session stays on its worker, and its input grows by the history.
    for (const session of new Set(run.rows.map((r) => r.session))) {
      const own = run.rows.filter((r) => r.session === session).sort((a, b) => a.turn - b.turn)
      expect(new Set(own.map((r) => r.worker)).size).toBe(1)
      expect(own[1]!.inputTokens).toBeGreaterThan(own[0]!.inputTokens)
    }
  })

  it('gives later turns precedence in an open loop, so that the rate is one of requests', async () => {
    const url = await start()
    const run = await profile(url, `${chat} ${turns} --request-rate 50 --arrival-pattern constant --request-count 60`)
    expect(run.rows).toHaveLength(60)
    const startNs = run.result.phases[0]!.info.startNs
    expect(run.rows.map((r) => Math.round((r.dueNs - startNs) / 20e6)).sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i))
    expect(Math.max(...run.rows.map((r) => r.turn))).toBe(2)
  })

  it('spaces the turns of users evenly and replaces users that are done', async () => {
    const url = await start()
    const run = await profile(url, `${chat} --session-turns-mean 4 --user-centric-rate 50 --num-users 5 --request-count 40`)
    expect(run.rows).toHaveLength(40)
    for (const session of new Set(run.rows.map((r) => r.session))) {
      const own = run.rows.filter((r) => r.session === session).sort((a, b) => a.turn - b.turn)
      for (let i = 1; i < own.length; i++) expect(own[i]!.dueNs - own[i - 1]!.dueNs).toBeGreaterThanOrEqual(100e6 - 1)
    }
  })

  it('spreads sessions over servers and leaves out one that fails', async () => {
    const url = await start()
    const broken = await startMockServer({ port: 0, faults: { errorRate: 1, errorStatuses: [500] } })
    const turnBy = await profile(url, `${chat} --url ${broken.url} --concurrency 2 --request-count 20`)
    const avoiding = await profile(url, `${chat} --url ${broken.url} --url-strategy least-loaded --concurrency 2 --request-count 20`)
    await broken.close()
    const failures = (run: typeof turnBy): number => run.rows.filter((r) => !r.success).length
    expect(failures(turnBy)).toBe(10)
    expect(failures(avoiding)).toBeLessThan(5)
  })
})
