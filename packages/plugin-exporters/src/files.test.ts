import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Exporter, RunResult } from '@aiperf/core'
import { MemoryDir } from '../test/artifact-dir.js'
import { runResult, ZERO } from '../test/run-result.js'
import { failedRun, typicalRecords, typicalRun, warmedRun } from '../test/typical.js'
import { nanoseconds, readRecords, readSummary, readSummaryCsv } from '../test/user-scripts.js'
import csv from './csv.js'
import inputsJson from './inputs-json.js'
import json from './json.js'
import jsonl from './jsonl.js'
import outputsJson from './outputs-json.js'
import phases from './phases.js'
import rawJsonl from './raw-jsonl.js'
import timesliceCsv from './timeslice-csv.js'
import timesliceJson from './timeslice-json.js'
import consoleText from './console-text.js'

const here = new URL('.', import.meta.url)
const reference = (name: string) => readFileSync(new URL(`../test/reference/${name}`, here), 'utf8')
const EXPORTERS = { csv, json, jsonl, rawJsonl, inputsJson, outputsJson, timesliceCsv, timesliceJson, phases, consoleText }

async function exported(run: RunResult, prefix?: string): Promise<MemoryDir> {
  const dir = new MemoryDir(prefix === undefined ? {} : { prefix })
  for (const exporter of Object.values(EXPORTERS)) {
    const made: Exporter = await exporter.create({ options: {} } as never)
    await made.write(run, dir)
  }
  return dir
}

/** Everything a run can write. */
function wholeRun(): RunResult {
  const records = [...typicalRecords(4), ...typicalRecords(40, 1, 400)]
  const reads = [{ ns: 1e6, bytes: Buffer.from('data: {"id":1}\n\ndata: [DONE]\n\n') }]
  return runResult({
    phases: [{ name: 'warmup', kind: 'warmup' }, { name: 'profiling', kind: 'profiling' }],
    records,
    exchanges: records.map((_, ordinal) => ({ ordinal, requestHeaders: { Authorization: 'Bearer k' }, responseHeaders: { 'content-type': 'text/event-stream' }, payload: Buffer.from('{"model":"m"}'), reads })),
    texts: records.map((_, ordinal) => ({ ordinal, text: 'alpha beta' })),
    inputs: [{ sessionId: 'session_000000', payloads: ['{"model":"m"}'] }],
    change: (run) => {
      run.output = { ...run.output, level: 'raw', sliceSeconds: 1, httpTrace: true, outputsJson: true }
      const { metrics, window, steady: _ } = run.profiling
      run.profiling.slices = [{ startNs: window.startNs, endNs: window.startNs + 1e9, complete: true, metrics }, { startNs: window.startNs + 1e9, endNs: window.endNs, complete: false, metrics }]
      run.profiling.steady = { startNs: window.startNs + 1e8, endNs: window.endNs - 1e8, metrics }
      run.profiling.absent = [{ tag: 'goodput', reason: 'no --goodput objectives' }]
      const latency = metrics.get('request_latency')!
      latency.intervals = { p50: [150.5, 170.25] }
      latency.withheld = { p99: 473 }
      latency.precision = 'exact'
      metrics.get('inter_chunk_latency')!.precision = 0.001
      run.verdict = { verdict: 'suspect', reasons: [{ code: 'too-few-samples', level: 'suspect', message: 'few', value: 37, threshold: 473 }] }
      metrics.set('spec_decode_acceptance_histogram', { tag: 'spec_decode_acceptance_histogram', header: 'Accepted Drafts per Step', unit: 'count', group: 'none', kind: 'aggregate', internal: true, tally: [3, 0, 5] })
      run.manifest.notices = ['one notice']
      run.additions = { json: { telemetry_data: { endpoints: {} } }, csv: [[['Endpoint', 'GPU_Index', 'avg'], ['localhost:9400', 0, undefined], ['a,b', 1, 512.25]]], phases: { 0: { gpu_telemetry_json: 'phases/warmup/gpu_telemetry.json' } } }
    },
  })
}

describe('golden files', () => {
  test.each(['profile_export_aiperf.json', 'profile_export_aiperf.csv', 'profile_export_aiperf_timeslices.csv', 'profile_export_aiperf_timeslices.json', 'phase_manifest.json', 'outputs.json', 'inputs.json'])('%s', async (name) => {
    const run = wholeRun()
    const kept = new Set(['request_latency', 'time_to_first_token', 'inter_chunk_latency', 'request_count', 'error_request_count', 'request_throughput', 'effective_concurrency', 'benchmark_duration', 'spec_decode_acceptance_histogram'])
    for (const phase of [run.profiling, run.warmup!]) for (const tag of phase.metrics.keys()) if (!kept.has(tag)) phase.metrics.delete(tag)
    const text = (await exported(run)).files.get(name)!
    await expect(name === 'outputs.json' ? `${text.slice(0, 900)}…\n` : text).toMatchFileSnapshot(`../test/golden/${name}`)
  })
})

describe('schemas', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
  const schemas = new Map<string, { $defs?: Record<string, unknown> }>()
  for (const file of readdirSync(new URL('../schemas/', here))) schemas.set(file.replace('.schema.json', ''), JSON.parse(readFileSync(new URL(`../schemas/${file}`, here), 'utf8')) as object)
  const check = (schema: string, value: unknown) => {
    const validate = ajv.getSchema(`urn:aiperf:schema:${schema}`) ?? ajv.compile(schemas.get(schema)!)
    validate(value)
    expect(validate.errors ?? []).toEqual([])
  }
  const one = (schema: string) => (text: string) => check(schema, untrimmed(JSON.parse(text) as object))
  const lines = (schema: string) => (text: string) => { for (const line of text.trimEnd().split('\n')) check(schema, untrimmed(JSON.parse(line) as object)) }
  /** Samples of the reference carry a note on what was cut. */
  const untrimmed = ({ _trimmed, ...rest }: { _trimmed?: string }) => rest

  const FILES: [file: string, check: (text: string) => void, samples: string[]][] = [
    ['profile_export_aiperf.json', one('profile_export_aiperf'), ['single.json', 'errors.json', 'cancelled.json']],
    ['phases/warmup/profile_export_aiperf.json', one('profile_export_aiperf'), []],
    ['profile_export.jsonl', lines('profile_export'), ['single.jsonl', 'errors.jsonl', 'trace.jsonl']],
    ['profile_export_raw.jsonl', lines('profile_export_raw'), ['raw.jsonl', 'raw_text.jsonl']],
    ['profile_export_raw_counts.json', one('profile_export_raw_counts'), []],
    ['inputs.json', one('inputs'), ['inputs.json']],
    ['outputs.json', one('outputs'), ['outputs.json']],
    ['profile_export_aiperf_timeslices.json', one('profile_export_aiperf_timeslices'), ['timeslices.json']],
    ['phase_manifest.json', one('phase_manifest'), ['phase_manifest.json']],
  ]
  test.each(FILES)('%s keeps its schema', async (file, keeps, samples) => {
    keeps((await exported(wholeRun())).files.get(file)!)
    for (const sample of samples) keeps(reference(sample))
  })

  test('of a run without a success too', async () => {
    const { files } = await exported(failedRun((run) => { run.output.level = 'raw' }))
    for (const [file, keeps] of FILES) if (files.has(file)) keeps(files.get(file)!)
    for (const file of ['profile_export_aiperf.json', 'profile_export_aiperf.csv', 'profile_export.jsonl', 'profile_export_raw.jsonl', 'profile_export_console.txt', 'inputs.json']) expect(files.has(file), file).toBe(true)
  })

  test('every schema is used, and parts of the same name are the same', () => {
    expect([...schemas.keys()].sort()).toEqual(['inputs', 'outputs', 'phase_manifest', 'profile_export', 'profile_export_aiperf', 'profile_export_aiperf_timeslices', 'profile_export_raw', 'profile_export_raw_counts'])
    const parts = new Map<string, unknown>()
    for (const { $defs = {} } of schemas.values())
      for (const [name, part] of Object.entries($defs)) {
        if (parts.has(name)) expect(part, name).toEqual(parts.get(name))
        parts.set(name, part)
      }
  })
})

describe('scripts written for these files read ours and the reference’s alike', () => {
  const ours = async (file: string) => (await exported(wholeRun())).files.get(file)!

  test('summary JSON', async () => {
    for (const text of [reference('single.json'), await ours('profile_export_aiperf.json')]) {
      const summary = readSummary(text)
      expect(summary.version).toBe('1.4')
      expect(summary).toMatchObject({ cancelled: false, complete: true })
      const { metrics } = summary
      for (const tag of ['request_latency', 'time_to_first_token', 'inter_token_latency', 'inter_chunk_latency']) {
        expect(metrics[tag]!.unit).toBe('ms')
        const values = ['min', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'max'].map((stat) => metrics[tag]![stat] as number)
        expect(values).toEqual(values.toSorted((a, b) => a - b))
        expect(metrics[tag]!['avg'] as number).toBeCloseTo((metrics[tag]!['sum'] as number) / (metrics[tag]!['count'] as number), 9)
      }
      expect(Object.keys(metrics['request_count']!)).toEqual(['unit', 'avg'])
      expect(metrics['request_count']!['avg'] as number).toBeCloseTo((metrics['request_throughput']!['avg'] as number) * summary.seconds, 1)
      expect(metrics['output_sequence_length']!.unit).toBe('tokens')
      expect(Object.keys(metrics['request_latency']!)).toEqual(['unit', 'avg', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'min', 'max', 'std', 'count', 'sum'])
      expect(Object.keys(metrics['effective_concurrency']!).sort()).toEqual(['avg', 'max', 'min', 'p50', 'p90', 'p95', 'p99', 'std', 'unit'])
    }
  })

  test('members of the known layout come first, in its order', async () => {
    const order = (text: string) => Object.keys(JSON.parse(text) as object).filter((key) => Object.hasOwn(JSON.parse(reference('single.json')) as object, key))
    const known = order(await ours('profile_export_aiperf.json'))
    const expected = order(reference('single.json'))
    // Metrics beyond the declared ones may come in any order.
    const declared = (keys: string[]) => keys.slice(0, keys.indexOf('end_time') + 1)
    expect(declared(known)).toEqual(declared(expected).filter((key) => known.includes(key)))
  })

  test('errors in the summary', async () => {
    for (const text of [reference('errors.json'), await ours('profile_export_aiperf.json')]) {
      const { errors, metrics } = readSummary(text)
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatchObject({ code: 503, type: 'Service Unavailable', message: 'overloaded', count: 3 })
      expect(metrics['error_request_count']).toEqual({ unit: 'requests', avg: 3 })
    }
  })

  test('an interrupted run', async () => {
    const interrupted = (await exported(typicalRun((run) => { run.manifest.wasCancelled = true }))).files.get('profile_export_aiperf.json')!
    for (const text of [reference('cancelled.json'), interrupted]) {
      expect(readSummary(text)).toMatchObject({ cancelled: true, complete: false })
      expect((JSON.parse(text) as { incomplete_reason: string }).incomplete_reason.length).toBeGreaterThan(5)
    }
  })

  test('summary CSV', async () => {
    for (const [csvText, jsonText] of [[reference('single.csv'), reference('single.json')], [await ours('profile_export_aiperf.csv'), await ours('profile_export_aiperf.json')]] as const) {
      const rows = readSummaryCsv(csvText)
      const { metrics } = readSummary(jsonText)
      for (const [name, tag] of [['Request Latency (ms)', 'request_latency'], ['Time to First Token (ms)', 'time_to_first_token'], ['Output Sequence Length (tokens)', 'output_sequence_length']] as const)
        for (const stat of ['avg', 'min', 'max', 'sum', 'p1', 'p50', 'p99', 'std']) expect(Number(rows[name]![stat]) / ((metrics[tag]![stat] as number) || 1)).toBeCloseTo((metrics[tag]![stat] as number) === 0 ? 0 : 1, 2)
      expect(Number(rows['Request Count']!['Value'])).toBe(metrics['request_count']!['avg'])
      expect(rows['Effective Concurrency']!['p25']).toBe('')
      expect(csvText.split('\r\n')[0]).toBe('Metric,avg,min,max,sum,p1,p5,p10,p25,p50,p75,p90,p95,p99,std')
      expect(csvText).toContain('\r\n\r\nMetric,Value\r\n')
      expect(csvText).toContain('\r\n\r\n\r\nEndpoint,GPU_Index,')
    }
  })

  test('per-request lines', async () => {
    for (const text of [reference('single.jsonl'), reference('trace.jsonl'), await ours('profile_export.jsonl')]) {
      const records = readRecords(text)
      const [first] = text.split('\n')
      const fields = ['session_num', 'x_request_id', 'x_correlation_id', 'conversation_id', 'turn_index', 'credit_issued_ns', 'request_start_ns', 'request_ack_ns', 'request_end_ns', 'worker_id', 'record_processor_id', 'benchmark_phase', 'phase_index', 'phase_name', 'phase_kind', 'was_cancelled', 'context_overflow_skip', 'agent_depth', 'root_correlation_id']
      for (const field of fields) expect(records[0]!.metadata, field).toHaveProperty(field)
      const times = ['credit_issued_ns', 'request_start_ns', 'request_ack_ns', 'request_end_ns'].map((name) => nanoseconds(first!, name))
      expect(times.every((t, i) => i === 0 || t >= times[i - 1]!)).toBe(true)
      expect(String(times[0])).toHaveLength(19)
      for (const record of records) {
        if (record.error !== undefined) continue
        const value = (tag: string) => record.metrics[tag]!.value as number
        expect(record.metrics['request_latency']!.unit).toBe('ms')
        expect(value('inter_token_latency')).toBeCloseTo((value('request_latency') - value('time_to_first_token')) / (value('output_sequence_length') - 1), 9)
        expect((record.metrics['inter_chunk_latency']!.value as number[]).reduce((a, b) => a + b, value('time_to_first_token'))).toBeCloseTo(value('request_latency'), 6)
      }
    }
  })

  test('per-request lines of failures', async () => {
    for (const text of [reference('errors.jsonl'), await ours('profile_export.jsonl')]) {
      const failed = readRecords(text).filter((record) => record.error !== undefined)
      expect(failed).toHaveLength(text === reference('errors.jsonl') ? failed.length : 3)
      expect(failed.length).toBeGreaterThan(0)
      for (const record of failed) {
        expect(record.error).toMatchObject({ code: 503, type: 'Service Unavailable', message: 'overloaded' })
        expect(record.metrics).toEqual({ error_isl: { value: 100, unit: 'tokens' } })
        expect(record.metadata).not.toHaveProperty('request_ack_ns')
      }
    }
  })

  test('raw lines', async () => {
    for (const text of [reference('raw.jsonl'), await ours('profile_export_raw.jsonl')]) {
      const [first] = text.split('\n')
      const raw = JSON.parse(first!) as { start_perf_ns: number; payload: { model: string }; request_headers: Record<string, string>; status: number; responses: { perf_ns: number; packets: { name: string; value: string }[] }[] }
      expect(raw.payload.model).toBe('m')
      expect(raw.status).toBe(200)
      expect(raw.responses.at(-1)!.packets).toEqual([{ name: 'data', value: '[DONE]' }])
      for (const { packets } of raw.responses.slice(0, -1)) JSON.parse(packets[0]!.value)
      expect(Object.values(raw.request_headers)).toContain('<redacted>')
    }
  })

  test('time slices', async () => {
    for (const [jsonText, csvText] of [[reference('timeslices.json'), reference('timeslices.csv')], [await ours('profile_export_aiperf_timeslices.json'), await ours('profile_export_aiperf_timeslices.csv')]] as const) {
      const { timeslices } = JSON.parse(jsonText) as { timeslices: Record<string, { avg: number } | undefined>[] }
      expect(timeslices).toHaveLength(2)
      expect(timeslices[0]).not.toHaveProperty('is_complete')
      expect(timeslices[1]!['is_complete']).toBe(false)
      const rows = csvText.split(/\r?\n/).filter((line) => line !== '').map((line) => line.split(','))
      expect(rows[0]).toEqual(['Timeslice', 'Start_NS', 'End_NS', 'Metric', 'Unit', 'Stat', 'Value'])
      expect([...new Set(rows.slice(1).map((row) => row[0]))]).toEqual(['0', '1'])
      expect(rows[1]![1]).toHaveLength(19)
      const cell = rows.find((row) => row[0] === '0' && row[3] === 'Request Latency' && row[5] === 'avg')!
      expect(Number(cell[6])).toBeCloseTo(timeslices[0]!['request_latency']!.avg, 1)
    }
  })

  test('phase manifest', async () => {
    for (const text of [reference('phase_manifest.json'), await ours('phase_manifest.json')]) {
      const { phases: entries, schema_version } = JSON.parse(text) as { schema_version: number; phases: Record<string, unknown>[] }
      expect(schema_version).toBe(1)
      expect(entries.map((entry) => [entry['phase_name'], entry['phase_kind'], entry['profiling_index']])).toEqual([['warmup', 'warmup', null], ['profiling', 'profiling', 0]])
      for (const entry of entries) {
        expect(entry['total_request_count']).toBe((entry['successful_request_count'] as number) + (entry['error_request_count'] as number))
        expect(Object.keys(entry)).toEqual(Object.keys(entry).toSorted())
        expect(entry['metrics_csv']).toBe(`phases/${entry['phase_name'] as string}/profile_export_aiperf.csv`)
      }
    }
  })
})

describe('files of a run', () => {
  test('no file holds what does not exist, and nothing is 0 in place of missing', async () => {
    for (const run of [wholeRun(), failedRun((r) => { r.output.level = 'raw' }), runResult({ records: [] })])
      for (const [name, text] of (await exported(run)).files) expect(text, name).not.toMatch(/NaN|Infinity|undefined/)
    const { metrics, errors } = readSummary((await exported(failedRun())).files.get('profile_export_aiperf.json')!)
    expect(metrics).not.toHaveProperty('request_latency')
    expect(metrics).not.toHaveProperty('request_throughput')
    expect(errors).toEqual([{ type: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:9', category: 'connection', count: 10 }])
  })

  test('the prefix names every file but those of the dataset and the phases', async () => {
    const { files } = await exported(wholeRun(), 'foo')
    expect([...files.keys()].sort()).toEqual(['foo.csv', 'foo.json', 'foo.jsonl', 'foo_console.txt', 'foo_raw.jsonl', 'foo_raw_counts.json', 'foo_timeslices.csv', 'foo_timeslices.json', 'inputs.json', 'outputs.json', 'phase_manifest.json', 'phases/profiling/foo.csv', 'phases/profiling/foo.json', 'phases/warmup/foo.csv', 'phases/warmup/foo.json'])
  })

  test('a single phase has no manifest of phases, and names of phases are safe as folders', async () => {
    expect((await exported(typicalRun())).files.has('phase_manifest.json')).toBe(false)
    const { files } = await exported(warmedRun((run) => {
      run.phases[0]!.info.name = '../up/A'
      run.phases[1]!.info.name = '__up_a'
    }))
    const folders = [...files.keys()].filter((name) => name.startsWith('phases/')).map((name) => name.split('/'))
    expect(folders.every((parts) => parts.length === 3 && !parts.includes('..'))).toBe(true)
    expect(new Set(folders.map((parts) => parts[1]!.toLowerCase())).size).toBe(2)
  })

  test('the summary of a phase leaves out what concerns the whole run', async () => {
    const { files } = await exported(wholeRun())
    const members = (name: string) => Object.keys(JSON.parse(files.get(name)!) as object)
    const [whole, profiling, warmup] = ['profile_export_aiperf.json', 'phases/profiling/profile_export_aiperf.json', 'phases/warmup/profile_export_aiperf.json'].map(members)
    for (const name of ['verdict', 'warmup_metrics', 'telemetry_data', 'resolved_config']) {
      expect(whole).toContain(name)
      expect(profiling).not.toContain(name)
      expect(warmup).not.toContain(name)
    }
    for (const name of ['request_latency', 'window', 'run_info', 'error_summary', 'start_time']) expect(profiling).toContain(name)
  })

  test('times keep all their digits', async () => {
    const text = (await exported(wholeRun())).files.get('profile_export_aiperf.json')!
    const run = wholeRun()
    expect(text).toContain(`"start_ns": ${ZERO + BigInt(run.profiling.window.startNs)}`)
  })

  test('internal metrics are left out of the files unless asked for', async () => {
    expect((await exported(wholeRun())).files.get('profile_export_aiperf.json')).not.toContain('"requested_osl"')
    const run = wholeRun()
    run.output.internalMetrics = true
    const { files } = await exported(run)
    expect(files.get('profile_export_aiperf.json')).toContain('"requested_osl"')
    expect(files.get('profile_export_aiperf.csv')).toContain('Requested OSL')
  })
})
