import type { Adds, Exporter, GaugeStatistics, RunResult, SeriesSummary, TelemetryResult, TelemetrySeries } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import { collectAdditions } from './additions.js'

const gauge: GaugeStatistics = { avg: 500.25, min: 400, max: 600, std: 20, p1: 400, p5: 400, p10: 410, p25: 450, p50: 500, p75: 550, p90: 590, p95: 595, p99: 599, count: 30, integral: 5002.5, coverage: 0.98 }
const series = (more: Partial<TelemetrySeries>): TelemetrySeries => ({ name: 'psu_power', type: 'gauge', unit: 'W', description: 'Power', labels: {}, header: 'Power', ...more })
const supply = { kind: 'psu', id: '0', name: 'Rack 7', attributes: { serial: 'S1' } }
const SUMMARIES: SeriesSummary[] = [
  { series: series({ subject: supply }), target: 0, gauge },
  { series: series({ name: 'psu_energy', header: 'Energy', unit: 'J', type: 'counter', subject: supply }), target: 0, counter: { total: 5000, rate: 500, resets: 0, exact: true } },
  { series: series({ name: 'fan', header: 'Fan', unit: '', labels: { zone: 'a' } }), target: 0, gauge: { ...gauge, avg: Number.NaN } },
  { series: series({ name: 'delay', header: 'Delay', unit: 's', type: 'histogram', bounds: [1, Infinity] }), target: 0, histogram: { count: 4, sum: 2, avg: 0.5, countRate: 1, sumRate: 0.5, buckets: [3, 4], quantiles: { p50: { estimate: 0.6, low: 0, high: 1 }, p99: { estimate: 1, low: 1, high: Infinity } }, resets: 0, exact: true } },
  { series: series({ name: 'gpu_power', subject: { kind: 'gpu', id: '0', name: 'G' } }), target: 0, gauge },
]
const source = (more: Partial<TelemetryResult> = {}): TelemetryResult => ({
  source: 'psu', title: 'Rack power', ownExporter: false, series: SUMMARIES, points: () => ({ ns: new Float64Array(), values: new Float64Array() }), samples: () => [], each: () => [], summarise: () => SUMMARIES,
  targets: [{ name: 'psu0', asked: true, reached: true, intervalMs: 1000, samples: 30, updates: 30, failures: 1, lastError: 'timed out', gaps: [], dropped: {} }],
  ...more,
})
const run = (telemetry: TelemetryResult[]): RunResult => ({ telemetry, manifest: { phases: [{ index: 0, kind: 'profiling', startNs: 0, endNs: 1e10 }] }, additions: {} }) as unknown as RunResult

describe("a source of a vendor's, of which nothing here knows", () => {
  it('has tables of its own, by the thing it measures', async () => {
    const { tables } = await collectAdditions(run([source()]), [])
    expect(tables!.map(({ title, rows }) => [title, rows])).toEqual([
      ['Rack power | psu0 | psu 0 (Rack 7)', [['Power (W)', 500.25, 400, 600, 599, 590, 500, 20], ['Energy (J)', 5000]]],
      ['Rack power | psu0', [['Fan {zone="a"}', Number.NaN, 400, 600, 599, 590, 500, 20], ['Delay (s)', 0.5, undefined, undefined, 1, undefined, 0.6]]],
    ])
  })
  it('has a place in the summary, with what JSON can say only', async () => {
    const { json } = await collectAdditions(run([source()]), [])
    const { psu } = json!['telemetry'] as { psu: { targets: unknown[]; series: { name: string }[] } }
    expect(psu.targets).toEqual([{ name: 'psu0', reached: true, samples: 30, failures: 1, gaps: 0, last_error: 'timed out' }])
    expect(psu.series[0]).toMatchObject({ target: 'psu0', name: 'psu_power', unit: 'W', avg: 500.25, coverage: 0.98, subject: { kind: 'psu', id: '0', name: 'Rack 7', serial: 'S1' } })
    expect(psu.series[1]).toMatchObject({ total: 5000, exact: true })
    expect(psu.series[2]).not.toHaveProperty('avg')
    expect(psu.series[3]).toMatchObject({ buckets: { 1: 3, '+Inf': 4 }, quantiles: { p99: { estimate: 1, low: 1 } } })
    expect(JSON.parse(JSON.stringify(json))).toEqual(json)
    // GPUs have files and tables of their own, whoever measured them.
    expect(psu.series.map(({ name }) => name)).not.toContain('gpu_power')
  })
  it('is left to its exporter when it has one, and shows nothing when nothing was reached', async () => {
    for (const hidden of [source({ ownExporter: true }), source({ targets: [] })]) expect(await collectAdditions(run([hidden]), [])).toEqual({ json: {}, tables: [], csv: [], phases: {} })
  })
})

describe('what exporters add', () => {
  const adding = (adds: Adds['adds']): Exporter & Adds => ({ write: async () => {}, adds })
  it('is put together in their order', async () => {
    const table = (title: string) => ({ title, columns: ['a'], rows: [['b']] })
    const added = await collectAdditions(run([]), [
      adding(() => ({ json: { a: 1 }, tables: [table('one')], csv: [[['x']]], phases: { 0: { first: 'p' } } })),
      { write: async () => {} },
      adding(async () => ({ json: { b: 2 }, tables: [table('two')], phases: { 0: { second: 'q' }, 1: { second: 'r' } } })),
    ])
    expect(added).toEqual({ json: { a: 1, b: 2 }, tables: [table('one'), table('two')], csv: [[['x']]], phases: { 0: { first: 'p', second: 'q' }, 1: { second: 'r' } } })
  })
})
