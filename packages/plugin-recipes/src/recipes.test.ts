import type { MetricResult, PointResult, RecipeBase, RunModel, Search, SearchRecipe, Sweep } from '@aiperf/core'
import { describe, expect, test } from 'vitest'
import concurrencyRamp from './concurrency-ramp.js'
import decodeItlCurve from './decode-itl-curve.js'
import maxConcurrency from './max-concurrency-under-sla.js'
import maxGoodput from './max-goodput-under-slo.js'
import maxThroughput from './max-throughput-ttft-sla.js'
import paretoSweep from './pareto-sweep.js'
import prefillCurve from './prefill-ttft-curve.js'
import sobol from './sobol.js'

const CONCURRENCY = 'phases.profiling.concurrency'
const base = (streaming = true, lists: RecipeBase['lists'] = {}): RecipeBase => ({ model: { endpoint: { streaming } } as RunModel, lists, tiers: [] })
const recipe = (contribution: typeof maxThroughput) => contribution.create({ options: {}, random: () => { throw new Error('draws nothing') } } as never) as SearchRecipe<object>
const BOUNDS = { concurrencyMin: 1, concurrencyMax: 1000 }
const expand = (contribution: typeof maxThroughput, options: object, from = base()): Sweep | Search => recipe(contribution).expand(options, from)
const points = (sweep: Sweep | Search, path: string) => (sweep as Sweep).cells.map((cell) => cell.point[path])
const at = (point: Record<string, number>, metrics: Record<string, Record<string, number>>): PointResult => ({
  point, trials: [{ point, verdict: 'valid', directory: '', metrics: new Map(Object.entries(metrics).map(([tag, stats]) => [tag, { tag, ...stats } as unknown as MetricResult])) }],
})

describe('what recipes ask for', () => {
  test('throughput under a limit of the tail', () => {
    expect(expand(maxThroughput, { ttftSlaMs: 200, ...BOUNDS })).toMatchObject({
      kind: 'search', planner: 'bayesian', dimensions: [{ path: CONCURRENCY, low: 1, high: 1000, integer: true, log: true }],
      objectives: [{ tag: 'output_token_throughput', direction: 'maximize' }], constraints: [{ tag: 'time_to_first_token', stat: 'p95', op: '<', threshold: 200 }],
    })
  })

  test('goodput sets the objectives of the requests', () => {
    expect(expand(maxGoodput, { ttftSlaMs: 1, itlSlaMs: 2, e2eSlaMs: 3, sloAttainmentFraction: 0.9, ...BOUNDS })).toMatchObject({
      fixed: { slos: { time_to_first_token: 1, inter_token_latency: 2, request_latency: 3 } }, constraints: [{ tag: 'good_request_fraction', op: '>=', threshold: 0.9 }],
    })
  })

  test.each([['smooth_isotonic', 'smooth_isotonic'], ['monotonic', 'monotonic_sla'], ['bo', 'bayesian'], ['optuna', 'optuna']])('concurrency under limits, style %s: planner %s', (searchStyle, planner) => {
    expect(expand(maxConcurrency, { e2eSlaMs: 500, errorRateSla: 0.01, searchStyle, concurrencySteps: 8, ...BOUNDS }, base(false))).toMatchObject({
      planner, constraints: [{ tag: 'request_latency', stat: 'p99', threshold: 500 }, { tag: 'request_error_rate', threshold: 1 }],
    })
  })

  test('grids at equal ratios, each value once', () => {
    expect(points(expand(concurrencyRamp, { concurrencySteps: 8, ...BOUNDS }), CONCURRENCY)).toEqual([1, 3, 7, 19, 52, 139, 373, 1000])
    expect(points(expand(prefillCurve, { islMin: 256, islMax: 32_768, islSteps: 8 }), 'datasets.main.prompts.isl')).toEqual([256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768])
    expect(points(expand(concurrencyRamp, { concurrencyMin: 1, concurrencyMax: 3, concurrencySteps: 8 }), CONCURRENCY)).toEqual([1, 2, 3])
    const surface = expand(decodeItlCurve, { concurrencyMin: 1, concurrencyMax: 200, concurrencySteps: 6, oslMin: 64, oslMax: 1024, oslSteps: 4 }) as Sweep
    expect(surface.cells.length).toBe(24)
  })

  test('shapes of requests at the loads of a list, else at five', () => {
    const named = (from: RecipeBase) => (expand(paretoSweep, { islOslPairs: '128/64, 512/256' }, from) as Sweep).cells.map((cell) => cell.name)
    expect(named(base(true, { [CONCURRENCY]: [2, 8] }))).toEqual(['shape_128_64_c2', 'shape_128_64_c8', 'shape_512_256_c2', 'shape_512_256_c8'])
    expect(named(base()).length).toBe(10)
  })

  test.each<[string, () => unknown, string]>([
    ['no stream', () => expand(maxThroughput, { ttftSlaMs: 1, ...BOUNDS }, base(false)), '--streaming'],
    ['no limit', () => expand(maxConcurrency, { searchStyle: 'bo', concurrencySteps: 8, ...BOUNDS }), 'at least one limit'],
    ['bounds the wrong way round', () => expand(maxThroughput, { ttftSlaMs: 1, concurrencyMin: 9, concurrencyMax: 9 }), '--concurrency-min must be below --concurrency-max'],
    ['a shape twice', () => expand(paretoSweep, { islOslPairs: '1/2,1/2' }), 'twice'],
    ['a shape that is none', () => expand(paretoSweep, { islOslPairs: '1x2' }), 'got "1x2"'],
    ['one point', () => expand(paretoSweep, { islOslPairs: '1/2' }, base(true, { [CONCURRENCY]: [4] })), 'two points'],
    ['a design without bounds', () => expand(sobol, { samples: 4, scramble: false, labelFormat: 'index', dimensions: [{ path: 'rate', lo: 5, scale: 'linear', kind: 'real' }] }), 'needs lo and hi'],
    ['a logarithm of nothing', () => expand(sobol, { samples: 4, scramble: false, labelFormat: 'index', dimensions: [{ path: 'rate', lo: 0, hi: 4, scale: 'log', kind: 'real' }] }), 'begins above 0'],
  ])('%s is refused', (_, make, words) => expect(make).toThrow(words))

  test('a design keeps the values it uses', () => {
    const sweep = expand(sobol, { samples: 4, scramble: false, labelFormat: 'index', dimensions: [{ path: 'concurrency', lo: 1, hi: 9, scale: 'linear', kind: 'int' }, { path: 'endpoint.type', choices: ['chat', 'completions'], scale: 'linear', kind: 'real' }] }) as Sweep
    expect(sweep.files!['sampling_design.json']!['samples_mapped']).toEqual([[1, 'chat'], [5, 'completions'], [7, 'chat'], [3, 'completions']])
    expect(sweep.cells[2]).toEqual({ name: 'sobol_0002', point: { concurrency: 7, 'endpoint.type': 'chat' } })
    expect(sweep.notices!.join()).toContain('Without scrambling')
  })
})

describe('files of recipes', () => {
  const report = (contribution: typeof maxThroughput, all: PointResult[], options: object) => Object.values(recipe(contribution).report!(all, options))[0]!
  const findings = (contribution: typeof maxThroughput, all: PointResult[], options: object) => recipe(contribution).findings!(all, options)

  test('the knee: the first point whose tail is a fifth worse than the first one', () => {
    const latency = (load: number, p99: number) => at({ [CONCURRENCY]: load }, { request_latency: { p99 } })
    const options = { degradationThreshold: 0.2, degradationMetricTag: 'request_latency', degradationStat: 'p99' }
    const all = [latency(16, 130), latency(1, 100), latency(4, 119), latency(64, 400)]
    expect(report(concurrencyRamp, all, options)).toMatchObject({ baseline: { x: 1, y: 100 }, knee: { x: 16, y: 130 } })
    expect(report(concurrencyRamp, all.slice(1, 3), options)).toMatchObject({ knee: null })
    expect(report(concurrencyRamp, [], options)).toMatchObject({ baseline: null, knee: null, points: [] })
    expect(findings(concurrencyRamp, all, options)).toEqual(['Knee: 16, where request_latency p99 is 30 % above what it is at 1 (limit 20 %)'])
    expect(findings(concurrencyRamp, all.slice(1, 3), options)).toEqual(['No knee up to 4: request_latency p99 stays within 20 % of what it is at 1'])
    expect(findings(concurrencyRamp, [], options)[0]).toContain('not known')
  })

  test('prefill: a line, or a parabola where that is clearly better', () => {
    const curve = (of: (isl: number) => number) => report(prefillCurve, [100, 200, 400, 800].map((isl) => at({ 'datasets.main.prompts.isl': isl }, { time_to_first_token: { avg: of(isl) } })), {}) as { fit_form: string; coefficients: number[]; r_squared: number }
    const line = curve((x) => 5 + 0.1 * x)
    expect(line).toMatchObject({ fit_form: 'linear', below_floor: false })
    expect(line.coefficients.map((c) => Number(c.toFixed(6)))).toEqual([0.1, 5])
    expect(line.r_squared).toBeCloseTo(1, 9)
    const bent = curve((x) => 10 + (x - 400) ** 2)
    expect(bent.fit_form).toBe('quadratic')
    expect(bent.coefficients[0]).toBeCloseTo(1, 6)
    expect(findings(prefillCurve, [100, 200].map((isl) => at({ 'datasets.main.prompts.isl': isl }, { time_to_first_token: { avg: 5 + 0.1 * isl } })), {})).toEqual(['TTFT in ms ≈ 5.00 + 0.100 × tokens (R² 1.0000)'])
  })

  test('decode: a grid with gaps where nothing was measured', () => {
    const cell = (load: number, osl: number, avg: number) => at({ [CONCURRENCY]: load, 'datasets.main.prompts.osl': osl }, { inter_token_latency: { avg } })
    expect(report(decodeItlCurve, [cell(1, 64, 5), cell(8, 64, 6), cell(1, 128, 5.5), cell(8, 128, -1)], {})).toMatchObject({ axes: { concurrency: [1, 8], osl: [64, 128] }, grid: [[5, 5.5], [6, null]] })
  })

  test('limits: the last that passes, the first that fails, and whether one lies above the other', () => {
    const load = (x: number, p99: number) => at({ [CONCURRENCY]: x }, { request_latency: { p99 } })
    expect(report(maxConcurrency, [load(1, 10), load(2, 60), load(4, 40), load(8, 90)], { e2eSlaMs: 50 })).toMatchObject({
      max_passing_concurrency: 4, first_failing_concurrency: 2, first_breach: { metric: 'request_latency', value: 60 }, monotonicity_check: { monotone: false, passing_above_failing: [4] },
    })
  })

  test('shapes: what no other beats; a point without a value is never among them', () => {
    const cell = (load: number, metrics: Record<string, Record<string, number>>) => at({ [CONCURRENCY]: load, 'datasets.main.prompts.isl': 1, 'datasets.main.prompts.osl': 1 }, metrics)
    const both = (p95: number, avg: number) => ({ time_to_first_token: { p95 }, output_token_throughput: { avg } })
    const { cells } = report(paretoSweep, [cell(1, both(10, 100)), cell(4, both(20, 90)), cell(16, both(30, 300)), cell(64, { output_token_throughput: { avg: 999 } })], {}) as { cells: { concurrency: number; pareto_optimal: boolean }[] }
    expect(cells.filter((c) => c.pareto_optimal).map((c) => c.concurrency)).toEqual([1, 16])
  })
})
