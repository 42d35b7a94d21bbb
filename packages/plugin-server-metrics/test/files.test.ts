import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { exported, Lab, runOf, ZERO, type Phase } from './lab.js'

type Json = { [key: string]: any } // eslint-disable-line -- files are read as a user's script would
const reference = (name: string): string => readFileSync(new URL(`reference/${name}`, import.meta.url), 'utf8')

/** The metrics of the server that the samples were taken from: 40 requests, 4 at a time, in a phase of about a second. */
const state = { requests: 0, running: 0, fast: 0, sum: 0 }
const body = (): string => `# HELP mock_requests_total Total.
# TYPE mock_requests_total counter
mock_requests_total{model_name="m"} ${state.requests}
# HELP mock_requests_running Running.
# TYPE mock_requests_running gauge
mock_requests_running{model_name="m"} ${state.running}
# HELP mock_info Info.
# TYPE mock_info gauge
mock_info{version="1.0"} 1.0
# HELP mock_e2e_seconds Lat.
# TYPE mock_e2e_seconds histogram
mock_e2e_seconds_bucket{le="0.05",model_name="m"} 0
mock_e2e_seconds_bucket{le="0.1",model_name="m"} ${state.fast}
mock_e2e_seconds_bucket{le="0.25",model_name="m"} ${state.requests}
mock_e2e_seconds_bucket{le="+Inf",model_name="m"} ${state.requests}
mock_e2e_seconds_sum{model_name="m"} ${state.sum}
mock_e2e_seconds_count{model_name="m"} ${state.requests}
untyped_thing 3
`
const lab = new Lab()
let url: string
let phase: Phase
beforeAll(async () => {
  url = await lab.serve((_, response) => response.setHeader('content-type', 'text/plain; version=0.0.4').end(body()))
  phase = await lab.phase([url], {}, async () => {
    for (let i = 0; i < 10; i++) {
      state.running = 4
      await new Promise((resolve) => setTimeout(resolve, 100))
      state.requests += 4
      state.fast += 1
      state.sum += 0.6
    }
    state.running = 0
  })
})
afterAll(() => lab.close())

describe('server_metrics_export.json', () => {
  it('is read by what reads the reference: the same keys, of the same types', async () => {
    const { files } = await exported(runOf(phase))
    const ours = JSON.parse(files.get('server_metrics_export.json')!.toString()) as Json
    const theirs = JSON.parse(reference('server_metrics_export.json').replaceAll('"mock_requests"', '"mock_requests_total"')) as Json
    const missing: string[] = []
    const compare = (a: unknown, b: unknown, path: string): void => {
      if (path === '.input_config' || path.startsWith('.summary.endpoint_info.') || path.endsWith('.buckets')) return
      if (Array.isArray(b)) compare((a as unknown[])?.[0], b[0], `${path}[0]`)
      else if (typeof b === 'object' && b !== null) for (const [key, value] of Object.entries(b)) compare((a as Json)?.[key], value, `${path}.${key}`)
      else if (typeof a !== typeof b) missing.push(`${path}: ${typeof a} instead of ${typeof b}`)
    }
    compare(ours, theirs, '')
    expect(missing).toEqual([])
    expect(ours['schema_version']).toBe('1.1')
    const info = ours['summary'].endpoint_info[`${url}/metrics`]
    expect(Object.keys(info)).toEqual(expect.arrayContaining(Object.keys(Object.values(theirs['summary'].endpoint_info as Json)[0])))
    expect(info.total_fetches).toBe(phase.results[0]!.targets[0]!.samples)
  })
  it('holds exact totals, rates over the window, and quantiles within what their bucket and the sum allow', async () => {
    const { files } = await exported(runOf(phase))
    const { metrics } = JSON.parse(files.get('server_metrics_export.json')!.toString()) as Json
    const seconds = (phase.window.endNs - phase.window.startNs) / 1e9
    const { total, rate, exact } = metrics.mock_requests_total.series[0].stats
    expect(total).toBe(40)
    expect(exact).toBe(true)
    expect(rate * seconds).toBeCloseTo(40, 9)
    const histogram = metrics.mock_e2e_seconds.series[0]
    expect(histogram.buckets).toEqual({ 0.05: 0, 0.1: 10, 0.25: 40, '+Inf': 40 })
    expect(histogram.stats).toMatchObject({ count: 40, p50_low: 0.1 })
    // 9 of the 30 above 0.1 s lie below the median, and 10 above 0.05 s.
    expect(histogram.stats.p50_high).toBeCloseTo((40 * 0.15 - 10 * 0.05 - 9 * 0.1) / 21, 9)
    expect(histogram.stats.avg).toBeCloseTo(0.15, 9)
    expect(histogram.stats.p50_estimate).toBeCloseTo(0.1 + (0.15 * 10) / 30, 9)
    expect(metrics.mock_requests_running.series[0].stats).toMatchObject({ max: 4, p50: 4 })
    expect(metrics.mock_info.series[0].stats).toMatchObject({ avg: 1, std: 0 })
    expect(metrics.untyped_thing).toMatchObject({ type: 'unknown', series: [{ stats: { avg: 3 } }] })
  })
  it('has time slices that add up, and rates over the complete ones', async () => {
    const { files } = await exported(runOf(phase, [{}], 0.3))
    const text = files.get('server_metrics_export.json')!.toString()
    const { metrics } = JSON.parse(text) as Json
    const { stats, timeslices } = metrics.mock_requests_total.series[0]
    expect(timeslices.length).toBeGreaterThanOrEqual(4)
    expect(timeslices.at(-1).is_complete).toBe(false)
    expect(timeslices[0].is_complete).toBeUndefined()
    expect(timeslices.reduce((sum: number, slice: Json) => sum + slice['total'], 0)).toBeCloseTo(40, 9)
    expect(stats.rate_min).toBeLessThanOrEqual(stats.rate_avg)
    const slices = metrics.mock_e2e_seconds.series[0].timeslices as Json[]
    expect(slices.every((slice) => Number.isInteger(slice['count']))).toBe(true)
    expect(slices.reduce((sum, slice) => sum + slice['count'], 0)).toBe(40)
    expect(text).toMatch(new RegExp(`"start_ns": ${String(ZERO).slice(0, 8)}\\d{11},`))
  })
})

describe('server_metrics_export.csv', () => {
  it("has the reference's sections and columns", async () => {
    const { files } = await exported(runOf(phase))
    const ours = files.get('server_metrics_export.csv')!.toString()
    const heads = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('Endpoint,'))
    expect(heads(ours).filter((head) => !head.includes('untyped'))).toEqual(expect.arrayContaining(heads(reference('server_metrics_export.csv'))))
    expect(ours.split('\n').slice(0, 6).every((line) => line.startsWith('#'))).toBe(true)
    const host = new URL(url).host
    expect(ours).toContain(`${host},counter,mock_requests_total,requests,40.0000,`)
    expect(ours).toContain(`0.05=0;0.1=10;0.25=40;+Inf=40`)
    expect(ours).toContain(`${host},mock_info,version,1.0,Info.`)
    expect(ours.endsWith('\n')).toBe(true)
    expect(ours).not.toContain('\r')
  })
})

describe('server_metrics_export.jsonl', () => {
  it('has a line per scrape that showed something new, in the shape of the reference', async () => {
    const { files } = await exported(runOf(phase))
    const lines = files.get('server_metrics_export.jsonl')!.toString().trim().split('\n').map((line) => JSON.parse(line) as Json)
    const [theirs] = reference('server_metrics_export.jsonl').trim().split('\n').slice(1).map((line) => JSON.parse(line) as Json)
    expect(lines).toHaveLength(phase.results[0]!.targets[0]!.updates)
    const inPhase = lines.find((line) => line['phase_index'] === 0)!
    expect(Object.keys(inPhase)).toEqual(Object.keys(theirs!))
    expect(Object.keys(inPhase['metrics']).sort()).toEqual(['mock_e2e_seconds', 'mock_requests_running', 'mock_requests_total', 'untyped_thing'])
    expect(inPhase['metrics'].mock_e2e_seconds[0].buckets['+Inf']).toBe(inPhase['metrics'].mock_e2e_seconds[0].count)
    expect(lines.at(-1)!['metrics'].mock_requests_total[0]).toEqual({ labels: { model_name: 'm' }, value: 40 })
    expect(inPhase['request_sent_ns']).toBeLessThanOrEqual(inPhase['first_byte_ns'])
  })
})

describe('server_metrics_export.parquet', () => {
  it('has the columns of the reference, and counts from the beginning of the phase', async () => {
    const { files } = await exported(runOf(phase))
    const bytes = files.get('server_metrics_export.parquet')!
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
    const meta = parquetMetadata(file)
    expect(meta.schema.slice(1).map(({ name }) => name)).toEqual(['endpoint_url', 'metric_name', 'metric_type', 'unit', 'description', 'timestamp_ns', 'model_name', 'version', 'value', 'sum', 'count', 'bucket_le', 'bucket_count'])
    const keys = meta.key_value_metadata!.map(({ key }) => key)
    expect(keys).toEqual(expect.arrayContaining(['aiperf.schema_version', 'aiperf.benchmark_id', 'aiperf.time_filter_start_ns', 'aiperf.label_columns', 'aiperf.metric_type_counts']))
    const rows = (await parquetReadObjects({ file })) as Json[]
    const of = (name: string): Json[] => rows.filter((row) => row['metric_name'] === name)
    expect(of('mock_requests_total')[0]!['value']).toBe(0)
    expect(of('mock_requests_total').at(-1)!['value']).toBe(40)
    expect(of('mock_e2e_seconds')).toHaveLength(4 * of('mock_requests_total').length)
    const last = of('mock_e2e_seconds').slice(-4)
    expect(last.map((row) => [row['bucket_le'], row['bucket_count'], row['count'], row['value']])).toEqual([['0.05', 0, 40, null], ['0.1', 10, 40, null], ['0.25', 40, 40, null], ['+Inf', 40, 40, null]])
    expect(of('mock_info')[0]).toMatchObject({ metric_type: 'gauge', value: 1, version: '1.0', model_name: null })
    expect(typeof of('mock_requests_total')[0]!['timestamp_ns']).toBe('bigint')
  })
})

describe('runs of several phases', () => {
  it('have a file per phase in the shape of the reference, and warm-up apart', async () => {
    const middle = (phase.window.startNs + phase.window.endNs) / 2
    const run = runOf(phase, [{ name: 'warm up', kind: 'warmup', endNs: middle }, { name: 'profiling', startNs: middle }])
    const { files, phases } = await exported(run, ['json'])
    expect([...files.keys()]).toEqual(['server_metrics_export.json', 'phases/warm_up/server_metrics.json', 'phases/profiling/server_metrics.json'])
    expect(phases).toEqual({ 0: { server_metrics_json: 'phases/warm_up/server_metrics.json' }, 1: { server_metrics_json: 'phases/profiling/server_metrics.json' } })
    const ours = JSON.parse(files.get('phases/profiling/server_metrics.json')!.toString()) as Json
    const theirs = JSON.parse(reference('server_metrics_phase.json')) as Json
    expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs).sort())
    expect(Object.keys(theirs['data']).filter((key) => !(key in ours['data']) && key !== 'phase_results')).toEqual([])
    const { metrics } = JSON.parse(files.get('server_metrics_export.json')!.toString()) as Json
    const [own] = Object.values(ours['data'].endpoint_summaries as Json) as Json[]
    expect(own!['metrics'].mock_requests_total.series[0].stats.total).toBeCloseTo(metrics.mock_requests_total.series[0].stats.total, 6)
    expect((JSON.parse(files.get('server_metrics_export.json')!.toString()) as Json)['warmup_metrics'].mock_requests_total.series[0].stats.total).toBeGreaterThan(0)
  })
  it('write nothing without an endpoint', async () => {
    const { files, tables, phases } = await exported(runOf({ ...phase, results: [] }))
    expect([files.size, tables.length, phases]).toEqual([0, 0, undefined])
  })
})
