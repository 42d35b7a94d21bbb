import fc from 'fast-check'
import type { Metric, MetricResult, PhaseInfo, RecordMetric, RunManifest, RunModel } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import { batchFromRows, createRowValues, evaluate, type EvaluateInput, type RowFacts } from './index.js'

const metrics: Metric[] = [
  { kind: 'record', tag: 'latency', header: 'Latency', unit: 'ns', displayUnit: 'ms', description: '', compute: (r) => r.lastTokenNs - r.dispatchedNs },
  { kind: 'record', tag: 'gaps', header: 'Gaps', unit: 'ns', displayUnit: 'ms', group: 'none', description: '', compute: (r) => (r.tokenNs.length < 2 ? undefined : r.tokenNs.slice(1).map((t, i) => t - r.tokenNs[i]!)) },
  { kind: 'record', tag: 'tokens', header: 'Tokens', unit: 'tokens', countsAtTokens: true, description: '', compute: (r) => r.outputTokens },
  { kind: 'record', tag: 'per_token', header: 'Per token', unit: 'ns', requires: ['latency', 'tokens'], description: '', compute: (_, value) => value('latency')! / value('tokens')! },
  { kind: 'record', tag: 'from_start', header: 'From start', unit: 'ns', description: '', compute: (r, _, { phaseStartNs }) => r.dispatchedNs - phaseStartNs },
  { kind: 'aggregate', tag: 'request_count', header: 'Requests', unit: 'requests', fold: 'sum', description: '', compute: () => 1 },
  { kind: 'aggregate', tag: 'last_end', header: 'Last end', unit: 'ns', fold: 'max', wholePhaseOnly: true, description: '', compute: (r) => r.endNs },
  { kind: 'derived', tag: 'throughput', header: 'Throughput', unit: 'requests/sec', requires: ['request_count'], description: '', compute: (s) => s.value('request_count')! / s.windowSeconds },
  { kind: 'derived', tag: 'token_rate', header: 'Token rate', unit: 'tokens/sec', requires: ['tokens'], description: '', compute: (s) => s.value('tokens')! / s.windowSeconds },
  {
    kind: 'curve',
    tag: 'concurrency',
    header: 'Concurrency',
    unit: 'requests',
    description: '',
    compute: (r, curve) => {
      curve.add(r.dispatchedNs, 1)
      curve.add(r.endNs, -1)
    },
  },
  { kind: 'record', tag: 'needs_streaming', header: 'x', unit: 'ms', gates: ['streaming'], description: '', compute: () => 1 },
  { kind: 'derived', tag: 'needs_that', header: 'x', unit: 'ms', requires: ['needs_streaming'], description: '', compute: () => 1 },
  { kind: 'record', tag: 'never', header: 'x', unit: 'ms', absence: 'nobody said so', description: '', compute: () => undefined },
]

const COUNTS = { due: 0, sent: 0, skipped: 0, unsent: 0, completed: 0, errors: 0, cancelled: 0, censored: 0, retried: 0, sessionsStarted: 0, sessionsCompleted: 0 }
const phase = (index: number, kind: PhaseInfo['kind'], startNs = 0): PhaseInfo => ({ index, name: `${kind} ${index}`, kind, mode: 'concurrency', options: {}, startNs, endNs: 1e12, counts: COUNTS, wasCancelled: false, endedBy: 'requests' })

function input(rows: readonly RowFacts[], more: { phases?: PhaseInfo[]; sliceSeconds?: number; limits?: EvaluateInput['limits']; batchRows?: number; metrics?: Metric[] } = {}): EvaluateInput {
  const size = more.batchRows ?? 64
  return {
    manifest: { phases: more.phases ?? [phase(0, 'profiling')], complete: true, endpoint: { type: 'chat', streaming: false }, client: {} } as unknown as RunManifest,
    model: {
      endpoint: {},
      phases: [],
      artifacts: more.sliceSeconds === undefined ? {} : { sliceSeconds: more.sliceSeconds },
      slos: {},
      metrics: {},
      networkLatency: {},
    } as unknown as RunModel,
    metrics: more.metrics ?? metrics,
    batches: () => Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => batchFromRows(rows.slice(i * size, (i + 1) * size))),
    ...(more.limits ? { limits: more.limits } : {}),
  }
}

/** A closed loop: `users` requests at a time, each with a few chunks; rows in the order in which requests end. */
function closedLoop(count: number, users: number, seed: number, at = 0, phaseIndex = 0): RowFacts[] {
  let state = seed >>> 0
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
  const free = new Array<number>(users).fill(at)
  return Array.from({ length: count }, (_, ordinal): RowFacts => {
    const user = free.indexOf(Math.min(...free))
    const dispatchedNs = free[user]! + Math.floor(random() * 1e5)
    const tokenNs = [dispatchedNs + 1e7 + Math.floor(random() * 1e7)]
    for (let i = 1 + Math.floor(random() * 8); i > 0; i--) tokenNs.push(tokenNs.at(-1)! + 1e6 + Math.floor(random() * 4e6))
    const endNs = tokenNs.at(-1)! + 1000
    free[user] = endNs
    return { ordinal, phase: phaseIndex, dueNs: dispatchedNs, dispatchedNs, tokenNs, endNs, outputTokens: tokenNs.length * 2 }
  }).toSorted((a, b) => a.endNs! - b.endNs!)
}

const loop = fc.record({ count: fc.integer({ min: 1, max: 150 }), users: fc.integer({ min: 1, max: 12 }), seed: fc.integer() })

/** Everything that files would show of a set of metrics. */
const shown = (results: ReadonlyMap<string, MetricResult>): Record<string, unknown> => Object.fromEntries(results)

describe('a phase', () => {
  it('has one window, and every rate times it is its count', async () => {
    await fc.assert(
      fc.asyncProperty(loop, async ({ count, users, seed }) => {
        const rows = closedLoop(count, users, seed)
        const { profiling } = await evaluate(input(rows))
        const { window, metrics: found } = profiling
        expect(window.startNs).toBe(Math.min(...rows.map((r) => r.dispatchedNs!)))
        expect(window.endNs).toBe(Math.max(...rows.map((r) => r.endNs!)))
        expect(window.seconds).toBe((window.endNs - window.startNs) / 1e9)
        expect(found.get('request_count')!.avg).toBe(count)
        expect(Math.abs(found.get('throughput')!.avg! * window.seconds - count)).toBeLessThanOrEqual(count * Number.EPSILON)
        expect(found.get('gaps')?.count).toBe(rows.reduce((n, r) => n + r.tokenNs!.length - 1, 0))
        // Little's law: what the concurrency adds up to is the time all requests took.
        const spent = rows.reduce((sum, r) => sum + r.endNs! - r.dispatchedNs!, 0)
        expect(found.get('concurrency')!.avg! * window.seconds * 1e9).toBeCloseTo(spent, -2)
      }),
      { numRuns: 30 },
    )
  })

  it('does not depend on the order of records or how they are batched', async () => {
    const rows = closedLoop(200, 7, 3)
    const expected = shown((await evaluate(input(rows))).profiling.metrics)
    const turned = rows.toSorted((a, b) => (a.ordinal! % 13) - (b.ordinal! % 13))
    const found = shown((await evaluate(input(turned, { batchRows: 17 }))).profiling.metrics)
    for (const [tag, result] of Object.entries(expected) as [string, MetricResult][])
      for (const [stat, value] of Object.entries(result))
        if (typeof value === 'number') expect((found[tag] as never)[stat], `${tag} ${stat}`).toBeCloseTo(value, 6)
        else expect((found[tag] as never)[stat]).toEqual(value)
  })

  it('counts warm-up apart, and knows the start of each phase', async () => {
    const rows = [...closedLoop(20, 2, 1, 5e9, 0), ...closedLoop(30, 2, 2, 9e9, 1)]
    const { profiling, warmup, phases } = await evaluate(input(rows, { phases: [phase(0, 'warmup', 5e9), phase(1, 'profiling', 9e9)] }))
    expect(warmup!.metrics.get('request_count')!.avg).toBe(20)
    expect(profiling.metrics.get('request_count')!.avg).toBe(30)
    expect(phases).toEqual([warmup, profiling])
    expect(profiling.metrics.get('from_start')!.min).toBeLessThan(1e6)
    expect(warmup!.metrics.get('from_start')!.min).toBeLessThan(1e6)
  })

  it('of several that profile are pooled, rates over the sum of their windows', async () => {
    const first = closedLoop(40, 3, 1, 0, 0)
    const second = closedLoop(60, 3, 2, 50e9, 1)
    const { profiling, phases } = await evaluate(input([...first, ...second], { phases: [phase(0, 'profiling'), phase(1, 'profiling', 50e9)] }))
    const seconds = phases[0]!.window.seconds + phases[1]!.window.seconds
    expect(profiling.window.seconds).toBe(seconds)
    expect(profiling.window.endNs - profiling.window.startNs).toBeGreaterThan(40e9)
    expect(profiling.metrics.get('throughput')!.avg! * seconds).toBeCloseTo(100, 9)
    expect(profiling.metrics.get('latency')!.count).toBe(100)
    const busy = phases.reduce((sum, p) => sum + p.metrics.get('concurrency')!.avg! * p.window.seconds, 0)
    expect(profiling.metrics.get('concurrency')!.avg! * seconds).toBeCloseTo(busy, 6)
  })

  it('without records has no values, and the run is told so', async () => {
    const { profiling, verdict } = await evaluate(input([]))
    expect([...profiling.metrics.keys()]).toEqual([])
    expect(profiling.absent).toContainEqual({ tag: 'latency', reason: 'no request succeeded' })
    expect(verdict.verdict).toBe('invalid')
  })

  it('of failures alone is the window of the failures', async () => {
    const { profiling } = await evaluate(input([{ outcome: 'connection', dispatchedNs: 5, endNs: 9, error: { type: 'ECONNREFUSED', message: 'refused', category: 'connection' } }]))
    expect(profiling.window).toEqual({ startNs: 5, endNs: 9, seconds: 4e-9 })
    expect(profiling.errors).toEqual([{ error: { type: 'ECONNREFUSED', message: 'refused', category: 'connection' }, count: 1 }])
  })

  it('says why metrics are absent', async () => {
    const { profiling } = await evaluate(input(closedLoop(5, 1, 1)))
    expect(profiling.absent).toEqual(
      expect.arrayContaining([
        { tag: 'needs_streaming', reason: 'not streaming' },
        { tag: 'needs_that', reason: 'needs needs_streaming: not streaming' },
        { tag: 'never', reason: 'nobody said so' },
      ]),
    )
  })

  it('groups errors, however many different ones there are', async () => {
    const rows = Array.from({ length: 3000 }, (_, i): RowFacts => ({
      outcome: 'http_error',
      dispatchedNs: i,
      endNs: i + 1,
      error: { type: 'Internal Server Error', code: 500, message: `request ${i % 1500}`, category: 'http_error' },
    }))
    const { errors } = (await evaluate(input(rows))).profiling
    expect(errors.length).toBeLessThanOrEqual(1001)
    expect(errors.reduce((sum, { count }) => sum + count, 0)).toBe(3000)
    expect(errors[0]!.error.message).toContain('further')
  })
})

describe('past the limits of exactness', () => {
  const rows = closedLoop(600, 8, 11)
  const limits = { exactValues: 100, exactSteps: 100, timeBins: 256 }

  it('percentiles are within 0.1 %, curves within the width of a bin, and both say so', async () => {
    const exact = (await evaluate(input(rows))).profiling.metrics
    const rough = (await evaluate(input(rows, { limits }))).profiling.metrics
    for (const tag of ['latency', 'gaps', 'per_token'])
      for (const stat of ['p1', 'p50', 'p99', 'min', 'max', 'avg', 'std', 'sum', 'count'] as const) {
        const truth = exact.get(tag)![stat]!
        expect(Math.abs(rough.get(tag)![stat]! - truth), `${tag} ${stat}`).toBeLessThanOrEqual(Math.abs(truth) * 0.001)
      }
    expect([exact.get('latency')!.precision, rough.get('latency')!.precision]).toEqual(['exact', 1 / 1024])
    expect(exact.get('concurrency')!.precision).toBe('exact')
    expect(rough.get('concurrency')!.resolutionNs).toBeGreaterThan(0)
    // The first and the last bin are not wholly within the window.
    const share = rough.get('concurrency')!.resolutionNs! / 1e9 / (await evaluate(input(rows))).profiling.window.seconds
    expect(Math.abs(rough.get('concurrency')!.avg! - exact.get('concurrency')!.avg!)).toBeLessThan(2 * share * exact.get('concurrency')!.max!)
    expect(rough.get('request_count')).toEqual(exact.get('request_count'))
  })

  it('the steady state, read in a second pass, is the one that is cut out of what is kept', async () => {
    const exact = (await evaluate(input(rows))).profiling.steady!
    const rough = (await evaluate(input(rows, { limits: { exactValues: 100 } }))).profiling.steady!
    expect([rough.startNs, rough.endNs]).toEqual([exact.startNs, exact.endNs])
    expect(rough.metrics.get('request_count')!.avg).toBe(exact.metrics.get('request_count')!.avg)
    expect(rough.metrics.get('latency')!.p50! / exact.metrics.get('latency')!.p50!).toBeCloseTo(1, 2)
  })
})

describe('the steady state', () => {
  it('leaves out the ramp-up and the drain', async () => {
    // One more user every 100 ms up to ten, all for 5 s, then nobody new: requests of 100 ms one after the other.
    const rows: RowFacts[] = []
    for (let user = 0; user < 10; user++) for (let k = user; k < 50 + user; k++) rows.push({ dispatchedNs: k * 1e8, lastTokenNs: k * 1e8 + 9e7, endNs: (k + 1) * 1e8, outputTokens: 1 })
    const { profiling } = await evaluate(input(rows))
    const { startNs, endNs, metrics: found } = profiling.steady!
    expect(startNs).toBe(8e8)
    expect(endNs).toBe(51e8)
    expect(found.get('concurrency')!.min).toBe(9)
    expect(found.get('request_count')!.avg).toBe(rows.filter((r) => r.endNs! >= startNs && r.endNs! <= endNs).length)
    expect(found.get('throughput')!.avg! * ((endNs - startNs) / 1e9)).toBeCloseTo(found.get('request_count')!.avg!, 9)
    expect(found.has('last_end')).toBe(false)
  })
})

describe('time slices', () => {
  it('keep every request, every token and every moment', async () => {
    await fc.assert(
      fc.asyncProperty(loop, fc.integer({ min: 5, max: 200 }), async ({ count, users, seed }, sliceMs) => {
        const rows = closedLoop(count, users, seed)
        const { profiling } = await evaluate(input(rows, { sliceSeconds: sliceMs / 1000 }))
        const { slices, window, metrics: whole } = profiling
        const sum = (tag: string, weight: (seconds: number) => number = () => 1): number => slices.reduce((total, s) => total + (s.metrics.get(tag)?.avg ?? 0) * weight((s.endNs - s.startNs) / 1e9), 0)
        expect(slices[0]!.startNs).toBe(window.startNs)
        expect(slices.at(-1)!.endNs).toBe(window.endNs)
        slices.slice(1).forEach((slice, i) => expect(slice.startNs).toBeCloseTo(slices[i]!.endNs, 3))
        expect(sum('request_count')).toBe(count)
        const seconds = (s: number): number => s
        expect(sum('token_rate', seconds)).toBeCloseTo(whole.get('tokens')!.sum!, 6)
        expect(sum('concurrency', seconds)).toBeCloseTo(whole.get('concurrency')!.avg! * window.seconds, 6)
        expect(sum('throughput', seconds)).toBeCloseTo(count, 6)
      }),
      { numRuns: 20 },
    )
  })

  it('in which nothing began stay, with zeros; tokens count when they came', async () => {
    const rows: RowFacts[] = [{ dispatchedNs: 0, tokenNs: [5e8, 15e8, 25e8, 25.5e8], endNs: 35e8, outputTokens: 8 }]
    const { slices } = (await evaluate(input(rows, { sliceSeconds: 1 }))).profiling
    expect(slices.map((s) => s.metrics.get('request_count')?.avg)).toEqual([1, 0, 0, 0])
    expect(slices.map((s) => s.metrics.get('token_rate')?.avg)).toEqual([2, 2, 4, 0])
    expect(slices.map((s) => s.metrics.get('concurrency')?.avg)).toEqual([1, 1, 1, 1])
    expect(slices.map((s) => s.metrics.has('latency'))).toEqual([true, false, false, false])
    expect(slices.map((s) => s.complete)).toEqual([true, true, true, false])
    expect(slices.some((s) => s.metrics.has('last_end'))).toBe(false)
  })
})

describe('values of single records', () => {
  it('are those the statistics are made of', async () => {
    const rows = closedLoop(50, 3, 9)
    const given = input(rows)
    const { metrics: ordered, context, profiling } = await evaluate(given)
    const values = createRowValues(ordered, context, given.manifest)
    let sum = 0
    let gaps = 0
    for await (const batch of given.batches()) {
      values.load(batch)
      for (let row = 0; row < batch.rows; row++) {
        sum += values.value('latency', row) as number
        gaps += ((values.value('gaps', row) as Float64Array | undefined)?.length ?? 0)
      }
    }
    expect(sum).toBeCloseTo(profiling.metrics.get('latency')!.sum!, 6)
    expect(gaps).toBe(profiling.metrics.get('gaps')!.count)
  })

  it('are kept up to a size, the same as when they are computed again', async () => {
    const rows = [...closedLoop(100, 3, 9), { dispatchedNs: 0, endNs: 5, outcome: 'connection' as const }]
    const given = input(rows, { sliceSeconds: 1 })
    const { kept, metrics: ordered, context } = await evaluate({ ...given, keepBytes: 2 ** 20 })
    const again = createRowValues(ordered, context, given.manifest)
    expect(kept!.reduce((sum, { batch }) => sum + batch.rows, 0)).toBe(rows.length)
    for (const { batch, values } of kept!) {
      again.load(batch)
      for (const { tag } of metrics) for (let row = 0; row < batch.rows; row++) expect(values.value(tag, row)).toEqual(again.value(tag, row))
    }
    for (const keepBytes of [0, 20_000]) expect((await evaluate({ ...given, keepBytes })).kept).toBeUndefined()
  })

  it('are lists too, when a small batch has the first one', async () => {
    const without = closedLoop(64, 2, 5).map((row): RowFacts => ({ ...row, outcome: 'connection' }))
    const { profiling } = await evaluate(input([...without, ...closedLoop(2, 2, 6), ...closedLoop(40, 2, 7)], { batchRows: 64 }))
    const whole = await evaluate(input([...closedLoop(2, 2, 6), ...closedLoop(40, 2, 7)]))
    const firstInSmall = await evaluate({ ...input([]), batches: () => [batchFromRows(without), batchFromRows(closedLoop(2, 2, 6)), batchFromRows(closedLoop(40, 2, 7))] })
    expect(profiling.metrics.get('gaps')).toEqual(whole.profiling.metrics.get('gaps'))
    expect(firstInSmall.profiling.metrics.get('gaps')).toEqual(whole.profiling.metrics.get('gaps'))
  })
})

describe("a vendor's metrics", () => {
  it('may be of any kind and read any other; their faults are named', async () => {
    const cost: RecordMetric = { kind: 'record', tag: 'acme_cost', header: 'Cost', unit: 'USD', requires: ['tokens'], description: '', compute: (_, value) => value('tokens')! * 0.01 }
    const rows = closedLoop(10, 2, 4)
    const { profiling } = await evaluate(input(rows, { metrics: [cost, ...metrics, { kind: 'derived', tag: 'acme_total', header: 'Total', unit: 'USD', requires: ['acme_cost'], description: '', compute: (s) => s.value('acme_cost') }] }))
    expect(profiling.metrics.get('acme_total')!.avg).toBeCloseTo(profiling.metrics.get('tokens')!.sum! * 0.01, 9)
  })

  it('that throw are absent and named, and take nothing else with them', async () => {
    const fail = (): never => {
      throw new Error('oops')
    }
    let calls = 0
    const broken: Metric[] = [
      { kind: 'record', tag: 'bad_record', header: '', unit: '', description: '', compute: () => (++calls > 70 ? fail() : 1) },
      { kind: 'derived', tag: 'bad_derived', header: '', unit: '', description: '', compute: fail },
      { kind: 'curve', tag: 'bad_curve', header: '', unit: '', description: '', compute: fail },
      { kind: 'record', tag: 'reads_bad', header: '', unit: '', requires: ['bad_record'], description: '', compute: () => 1 },
    ]
    const { profiling, verdict } = await evaluate(input(closedLoop(100, 2, 4), { metrics: [...metrics, ...broken] }))
    expect(profiling.metrics.get('latency')!.count).toBe(100)
    for (const tag of ['bad_record', 'bad_derived', 'bad_curve']) expect(profiling.absent).toContainEqual({ tag, reason: 'its formula failed: oops' })
    expect(profiling.metrics.has('bad_record')).toBe(false)
    expect(profiling.absent).toContainEqual({ tag: 'reads_bad', reason: 'needs bad_record: its formula failed: oops' })
    expect(verdict.reasons.find(({ code }) => code === 'metric-failed')?.message).toContain('bad_curve (oops)')
    expect(calls).toBe(71)
  })
})
