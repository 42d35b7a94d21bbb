import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '@aiperf/core'
import { fixtureIndex } from '../../test/fixture-index.js'
import { resolveRun } from './resolve.js'

interface Asked {
  env?: Record<string, string>
  config?: JsonObject
}
const resolve = (line: string, { env = {}, config }: Asked = {}) =>
  resolveRun({
    index: fixtureIndex, env,
    argv: line === '' ? [] : line.split(' '),
    ...(config ? { loadConfig: async () => ({ name: 'run.yaml', content: config, lineOf: () => undefined }) } : {}),
  })
/** The model of a run that has no problem. */
const modelOf = async (line: string, asked?: Asked) => {
  const { model, problems } = await resolve(line, asked)
  expect(problems).toEqual([])
  return model!
}
const messages = async (line: string, asked?: Asked) => (await resolve(line, asked)).problems.map((p) => `${p.message} ${p.hint ?? ''}`)
const folder = mkdtempSync(join(tmpdir(), 'aiperf-resolve-'))
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const trace = file('trace.jsonl', '{"timestamp": 0, "input_length": 4}\n{"timestamp": 80, "input_length": 4}\n')
const undated = file('undated.jsonl', '{"input_length": 4}\n')

describe('three names of one path', () => {
  test('defaults are a closed loop of one session and ten requests', async () => {
    const model = await modelOf('--model m')
    expect(model.phases).toMatchObject([{ name: 'profiling', kind: 'profiling', mode: 'concurrency', options: { concurrency: 1 }, requests: 10, graceSeconds: null }])
    expect(model).toMatchObject({ endpoint: { type: 'chat', urls: ['http://localhost:8000'], streaming: false, timeoutSeconds: 21600 }, dataset: { type: 'synthetic', sampling: 'sequential' }, ui: { type: 'simple' } })
  })

  test.each([
    ['flag', '--concurrency 7', {}],
    ['variable', '', { env: { AIPERF_CONCURRENCY: '7' } }],
    ['variable of an alias', '', { env: { aiperf_concurrency: '7' } }],
    ['config key', '', { config: { benchmark: { phases: [{ name: 'profiling', type: 'concurrency', concurrency: 7, requests: 14 }] } } }],
  ])('a %s sets it', async (_kind, line, asked) => {
    expect((await modelOf(`--model m ${line}`.trim(), asked)).phases[0]).toMatchObject({ mode: 'concurrency', options: { concurrency: 7 }, requests: 14 })
  })

  test('command line over environment over config file', async () => {
    const asked = { env: { AIPERF_URL: 'http://env', AIPERF_MODEL: 'env' }, config: { endpoint: { urls: ['http://file'], timeout: '2m' }, model: 'file' } }
    const model = await modelOf('--url http://line', asked)
    expect(model.endpoint.urls).toEqual(['http://line'])
    expect(model.models).toEqual(['env'])
    expect(model.endpoint.timeoutSeconds).toBe(120)
  })

  test('keys may be written in snake and in camel case, and shorthands spelled out', async () => {
    const long = { benchmark: { models: { items: [{ name: 'a' }, { name: 'b' }] }, datasets: [{ name: 'main', type: 'synthetic', prompts: { isl: { mean: 300 } } }], phases: [{ name: 'profiling', type: 'poisson', rate: 5, rate_ramp: { duration: 30 }, duration: 120, grace_period: 'inf' }] } }
    const short = { benchmark: { models: ['a', 'b'], dataset: { type: 'synthetic', prompts: { isl: 300 } }, profiling: { type: 'poisson', rate: 5, rateRamp: '30s', duration: '2m', gracePeriod: 'inf' } } }
    expect(await modelOf('', { config: short })).toEqual(await modelOf('', { config: long }))
  })

  test('a mapping of the config file is merged, a list replaced', async () => {
    const config = { model: 'm', endpoint: { urls: ['http://a', 'http://b'], extra: { temperature: 0, top_k: 5 }, headers: { 'X-A': '1' } } }
    const { endpoint } = await modelOf('--url http://c --extra-inputs temperature:1 --header X-B:2', { config })
    expect(endpoint).toMatchObject({ urls: ['http://c'], extraInputs: { temperature: 1, top_k: 5 }, headers: [['X-A', '1'], ['X-B', '2']] })
  })

  test('what was set is reported, without secrets', async () => {
    const { explicit } = await resolve('--model m --api-key sk-SECRET --header Authorization:SECRET --header X-A:1 --url http://user:SECRET@h --concurrency 2')
    expect(JSON.stringify(explicit)).not.toContain('SECRET')
    expect(explicit).toMatchObject({ models: { items: [{ name: 'm' }] }, endpoint: { api_key: '<redacted>', headers: { Authorization: '<redacted>', 'X-A': '1' } }, phases: [{ name: 'profiling', kind: 'profiling', type: 'concurrency', concurrency: 2 }] })
  })

  test('what was set is itself a config file of the same run', async () => {
    const line = '--model m --url http://h --streaming --extra-inputs topK:5 --isl 30 --request-rate 5 --request-rate-ramp-duration 3 --arrival-pattern constant --benchmark-duration 1m --warmup-request-count 2 --goodput request_latency:100'
    const { explicit } = await resolve(line)
    expect(explicit['phases']).toMatchObject([{ type: 'constant', requests: 2 }, { type: 'constant', rate: 5, rate_ramp: { duration: 3 }, grace_period: 30 }])
    expect(await modelOf('', { config: explicit })).toEqual(await modelOf(line))
  })
})

describe('spellings of flags', () => {
  test('aliases, =, lists by comma and by repetition, choices in any case', async () => {
    const model = await modelOf('-m a,b --model-selection-strategy RANDOM -u h1:1 --url h2:2,https://h3 --export-level=Raw --no-tls-verify')
    expect(model).toMatchObject({ models: ['a', 'b'], modelSelection: 'random', artifacts: { level: 'raw' } })
    expect(model.endpoint.urls).toEqual(['http://h1:1', 'http://h2:2', 'https://h3'])
    expect(model.endpoint.tls.verify).toBe(false)
  })

  test('values of pairs are JSON where they look like it', async () => {
    const model = await modelOf('--model m --extra-inputs {"stop":["a,b"]} --extra-inputs temperature:0.5 top_p:null ignore_eos:True name:x')
    expect(model.endpoint.extraInputs).toEqual({ stop: ['a,b'], temperature: 0.5, top_p: null, ignore_eos: true, name: 'x' })
  })

  test('a scalar given twice, or by two names, is a problem', async () => {
    expect(await messages('--model m --concurrency 1 --concurrency 2')).toEqual([expect.stringContaining('--concurrency is given twice')])
    expect(await messages('--model m --request-count 1 --num-requests 2')).toEqual([expect.stringContaining('--request-count')])
  })
})

describe('problems', () => {
  test('are all told at once, each with the flag, the value and the bound', async () => {
    const found = await messages('--url ftp://x --concurrency 0 --request-count five --request-cancellation-rate 150 --concurency 4')
    expect(found).toHaveLength(6)
    const text = found.join('\n')
    for (const words of ['--concurency', 'Did you mean --concurrency?', '--concurrency must be a whole number of at least 1, got 0', '"five"', '100', '--model is missing', 'ftp']) expect(text).toContain(words)
  })

  test('secrets are in none of them', async () => {
    const found = await messages('--model m --api-key= sk-SECRET --header NoColonSECRET --url http://user:SECRET@ --concurrency 0')
    expect(found.length).toBeGreaterThan(2)
    expect(found.join('\n')).not.toContain('SECRET')
  })

  test.each([
    ['--search-recipe x', 'no search recipe "x"'],
    ['--zmq-dual-bind', 'known to AIPerf 0.13.0'],
    ['--nonsense', 'is no flag of aiperf profile'],
    ['--endpoint-type chatt', 'Did you mean chat?'],
    ['stray', '"stray" belongs to no flag'],
    ['--concurrency', '--concurrency needs a value'],
    ['--num-users 5', '--user-centric-rate'],
    ['--isl 5 --input-file TRACE --custom-dataset-type single_turn', '--input-file'],
    ['--dimensions 5', '--endpoint-type'],
    ['--arrival-pattern constant', '--request-rate'],
    ['--request-rate 5 --fixed-schedule --input-file TRACE', '--fixed-schedule'],
    ['--fixed-schedule', '--input-file'],
    ['--fixed-schedule --input-file TRACE --dataset-sampling-strategy random', '--dataset-sampling-strategy'],
    ['--input-file TRACE --custom-dataset-type mooncake_trace --request-rate 5', '--no-fixed-schedule'],
    ['--benchmark-grace-period 5', '--benchmark-duration'],
    ['--warmup-grace-period 5 --warmup-request-count 1', '--warmup-duration'],
    ['--warmup-concurrency 5', '--warmup-request-count'],
    ['--request-cancellation-delay 5', '--request-cancellation-rate'],
    ['--prefill-concurrency 1', '--streaming'],
    ['--per-chunk-usage --streaming', '--use-server-token-count'],
    ['--wait-for-model-mode models', '--wait-for-model-timeout'],
    ['--custom-endpoint v1/x', 'slash'],
    ['--custom-dataset-type single_turn', '--input-file'],
    ['--custom-dataset-type synthetic --input-file TRACE', '--input-file'],
    ['--goodput time_to_first_token', '--goodput'],
    ['--goodput no_such_metric:10', 'no_such_metric'],
    ['--goodput time_to_first_token:10', '--streaming'],
    ['--goodput time_to_first_token:-1', '0 or more'],
    ['--goodput time_to_first_token:1,time_to_first_token:2', 'twice'],
    ['--header X-A:1\nX-B:2', 'line break'],
    ['--goodput request_throughput:10', 'single requests'],
    ['--network-latency-automatic --network-latency-mean 3', '--network-latency-mean'],
    ['--concurrency 1,2', 'sweep'],
    ['--sweep-type zip --concurrency 1,2 --request-count 5,10,20', '2 values of --concurrency and 3 values of --request-count'],
    ['--concurrency 1,2 --fixed-schedule --input-file TRACE', '--fixed-schedule'],
    ['--artifact-dir TRACE/below', 'expected a folder'],
    ['--public-dataset single_turn', '--custom-dataset-type'],
    ['--public-dataset sharegpt --input-file TRACE', '--input-file'],
    ['--public-dataset sharegpt --custom-dataset-type synthetic', '--custom-dataset-type'],
    ['--public-dataset sharegpt --isl 5', '--public-dataset'],
    ['--sweep-type grid', '--sweep-type has no effect'],
    ['--user-centric-rate 2 --num-users 2', '--session-turns-mean'],
    ['--tokenizer builtin --endpoint-type image_retrieval', '--tokenizer'],
    ['--gpu-telemetry pynvml --no-gpu-telemetry', '--no-gpu-telemetry'],
    ['--gpu-telemetry pynvm', '--gpu-telemetry'],
    ['--gpu-telemetry nowhere.csv', '--gpu-telemetry'],
    ['--gpu-telemetry pynvml http://h:9400', '--gpu-telemetry'],
    ['--request-rate-series TRACE', 'not JSON'],
    ['--url http://', 'no host'],
    ['--url http://h:99999', '65535'],
    ['--artifact-dir TRACE', 'expected a folder'],
    ['--config', 'needs the name of a file'],
  ])('%s', async (line, words) => {
    const found = await messages(`--model m ${line.replaceAll('TRACE', trace)}`)
    expect(found.length).toBeGreaterThan(0)
    expect(found.join('\n')).toContain(words)
    expect(found.join('\n')).toContain(line.split(' ')[0]!)
  })

  test('a file that does not exist is named', async () => {
    const { problems } = await resolve('--model m --input-file missing.jsonl --custom-dataset-type single_turn')
    expect(problems).toMatchObject([{ code: 'E_INPUT_FILE', message: expect.stringContaining('missing.jsonl does not exist') }])
  })

  test.each<[string, JsonObject, string]>([
    ['an unknown key, with its neighbours', { endpoint: { urlz: [] } }, 'Did you mean urls?'],
    ['a value of the wrong kind', { endpoint: { streaming: 5 } }, 'endpoint.streaming (run.yaml) must be true or false, got 5'],
    ['both spellings of a section', { model: 'a', models: ['b'] }, 'use one of them'],
    ['two datasets', { datasets: [{ name: 'a' }, { name: 'b' }] }, 'exactly one dataset'],
    ['a phase without end', { phases: [{ name: 'profiling', type: 'concurrency' }] }, 'never ends'],
    ['a phase whose kind is not known', { phases: [{ name: 'steady', type: 'concurrency', requests: 1 }] }, 'kind: profiling'],
    ['no profiling phase', { phases: [{ name: 'warmup', requests: 1 }] }, 'at least one phase of kind profiling'],
    ['two phases of one name', { phases: [{ name: 'profiling', requests: 1 }, { name: 'PROFILING', kind: 'profiling', requests: 1 }] }, 'names must differ'],
    ['a name that Windows keeps', { phases: [{ name: 'con', kind: 'profiling', requests: 1 }] }, 'Windows'],
    ['a seamless first phase', { phases: [{ name: 'profiling', requests: 1, seamless: true }] }, 'first one'],
    ['an option of another mode', { phases: [{ name: 'profiling', type: 'concurrency', rate: 4, requests: 1 }] }, 'no option of the timing mode concurrency'],
    ['a phase type that does not exist', { phases: [{ name: 'profiling', type: 'poison', requests: 1 }] }, 'Did you mean poisson?'],
    ['a variable that is not set', { endpoint: { apiKey: '${AIPERF_NO_SUCH}' } }, 'AIPERF_NO_SUCH'],
    ['a template', { endpoint: { path: '/{{ name }}' } }, 'templates'],
    ['a sweep of another kind', { benchmark: {}, sweep: { type: 'gird' } }, 'sweep.type (run.yaml) must be one of'],
    ['a version that is not known', { schemaVersion: '3.0', benchmark: {} }, 'this program reads version 2.0'],
    ['a key beside benchmark', { benchmark: {}, benchmrk: {} }, 'is not known here'],
  ])('of a config file: %s', async (_title, config, words) => {
    expect((await messages('--model m', { config })).join('\n')).toContain(words)
  })
})

describe('phases', () => {
  test.each([
    ['--concurrency 64', 128],
    ['--concurrency 4', 10],
    ['--request-rate 5', 10],
  ])('%s without an end stops after %i requests', async (line, requests) => {
    expect((await modelOf(`--model m ${line}`)).phases[0]!.requests).toBe(requests)
  })

  test('a duration has thirty seconds of grace, or what is said, or none at all', async () => {
    const grace = async (line: string) => (await modelOf(`--model m --benchmark-duration 1m ${line}`.trim())).phases[0]!
    expect(await grace('')).toMatchObject({ durationSeconds: 60, graceSeconds: 30 })
    expect(await grace('--benchmark-grace-period 0')).toMatchObject({ graceSeconds: 0 })
    expect(await grace('--benchmark-grace-period inf')).toMatchObject({ graceSeconds: null })
    expect(await grace('')).not.toHaveProperty('requests')
  })

  test('a warm-up inherits the load, with its own values where given, and waits for every answer', async () => {
    const model = await modelOf('--model m --request-rate 5 --concurrency 8 --warmup-request-count 3 --warmup-concurrency 2 --request-cancellation-rate 50')
    expect(model.phases).toMatchObject([
      { name: 'warmup', kind: 'warmup', mode: 'request_rate', options: { rate: 5, concurrency: 2 }, requests: 3, graceSeconds: null },
      { name: 'profiling', mode: 'request_rate', options: { rate: 5, concurrency: 8 }, cancellation: { ratePct: 50, delaySeconds: 0 } },
    ])
    expect(model.phases[0]).not.toHaveProperty('cancellation')
    expect(model.dataset).not.toHaveProperty('entries')
  })

  test('a warm-up of a replay is an ordinary load', async () => {
    const model = await modelOf(`--model m --fixed-schedule --concurrency 4 --input-file ${trace} --custom-dataset-type mooncake_trace --warmup-request-count 3`)
    expect(model.phases.map((p) => p.mode)).toEqual(['concurrency', 'fixed_schedule'])
    expect(model.phases[0]!.options).toEqual({ concurrency: 4 })
  })

  test('a trace of a named format with time stamps is replayed by them', async () => {
    expect((await modelOf(`--model m --input-file ${trace} --custom-dataset-type mooncake_trace --concurrency 3`)).phases[0]).toMatchObject({ mode: 'fixed_schedule', options: { concurrency: 3 } })
    for (const line of [`--input-file ${trace}`, `--input-file ${trace} --custom-dataset-type single_turn`, `--input-file ${undated} --custom-dataset-type mooncake_trace`, `--input-file ${trace} --custom-dataset-type mooncake_trace --no-fixed-schedule`])
      expect((await modelOf(`--model m ${line}`)).phases[0]!.mode).toBe('concurrency')
    expect((await modelOf(`--model m --input-file ${trace} --custom-dataset-type mooncake_trace --no-fixed-schedule --request-rate 5`)).phases[0]!.mode).toBe('request_rate')
  })

  test('counts that a replay overrides are pointed out', async () => {
    expect((await resolve(`--model m --fixed-schedule --input-file ${trace} --request-count 5`)).notices).toEqual([expect.stringContaining('--request-count has no effect')])
  })

  test('a flag that selects another mode replaces the type of the config file', async () => {
    const config = { model: 'm', phases: [{ name: 'profiling', type: 'poisson', rate: 5, concurrency: 9, requests: 3 }] }
    const { model, notices } = await resolve('--user-centric-rate 2 --num-users 2 --session-turns-mean 3', { config })
    expect(model!.phases[0]).toMatchObject({ mode: 'user_centric', options: { rate: 2, users: 2, concurrency: 9 }, requests: 3 })
    expect(notices.join()).toBe('')
  })

  test('a file of points is read where a flag names it', async () => {
    const series = file('series.json', '[{"time_s": 0, "qps": 1}, {"time_s": 10, "qps": 5}]')
    expect((await modelOf(`--model m --request-rate-series ${series}`)).phases[0]!.options['rateSeries']).toEqual({ points: [{ timeS: 0, qps: 1 }, { timeS: 10, qps: 5 }] })
  })
})

describe('a point of a sweep', () => {
  const at = (line: string, overlay: Parameters<typeof resolveRun>[0]['overlay'], config?: JsonObject) =>
    resolveRun({ index: fixtureIndex, env: {}, argv: line.split(' '), sweeps: true, ...(overlay ? { overlay } : {}), ...(config ? { loadConfig: async () => ({ name: 'run.yaml', content: config, lineOf: () => undefined }) } : {}) })

  test('comma lists are handed back by path, the first value is the base', async () => {
    const { model, orchestration, problems } = await at('--model m --concurrency 4,8 --isl 100,200,300', undefined)
    expect(problems).toEqual([])
    expect(orchestration!.points).toEqual({ kind: 'grid', parameters: { 'phases.profiling.concurrency': [4, 8], 'datasets.main.prompts.isl': [100, 200, 300] } })
    expect(model!.phases[0]!.options).toEqual({ concurrency: 4 })
  })

  test('values win over flags and files, by any spelling of their path', async () => {
    for (const path of ['concurrency', 'phases.profiling.concurrency', 'phases.0.concurrency']) expect((await at('--model m --concurrency 4,8', { values: { [path]: 8 } })).model!.phases[0]!.options).toEqual({ concurrency: 8 })
    const { model } = await at('--model m --isl 100,200', { values: { 'datasets.main.prompts.isl.mean': 200, 'phases.profiling.requests': 77, 'endpoint.timeout': 3 } })
    expect(model).toMatchObject({ dataset: { options: { prompts: { isl: { mean: 200 } } } }, phases: [{ requests: 77 }], endpoint: { timeoutSeconds: 3 } })
  })

  test('flags replace, a benchmark is merged by the names in its lists', async () => {
    expect((await at('--model m --concurrency 4 --url http://a', { argv: ['--concurrency', '9'] })).model).toMatchObject({ endpoint: { urls: ['http://a'] }, phases: [{ options: { concurrency: 9 } }] })
    const config = { benchmark: { model: 'm', phases: [{ name: 'warmup', requests: 1 }, { name: 'profiling', type: 'concurrency', concurrency: 2, requests: 5 }] } }
    const { model } = await at('--streaming', { benchmark: { phases: [{ name: 'profiling', concurrency: 6 }], endpoint: { timeout: 9 } } }, config)
    expect(model!.phases.map((p) => [p.name, p.options['concurrency'], p.requests])).toEqual([['warmup', 1, 1], ['profiling', 6, 5]])
    expect(model!.endpoint.timeoutSeconds).toBe(9)
  })

  test('a benchmark may write the only item of a list short, whatever its name', async () => {
    const config = { benchmark: { model: 'm', datasets: [{ name: 'main', type: 'synthetic', prompts: { isl: 40 } }], phases: [{ name: 'warmup', requests: 1 }, { name: 'steady', kind: 'profiling', type: 'concurrency', concurrency: 2, requests: 5 }] } }
    const { model, problems } = await at('--streaming', { benchmark: { dataset: { prompts: { isl: 30 } }, profiling: { concurrency: 6 } } }, config)
    expect(problems).toEqual([])
    expect(model!.dataset.options).toMatchObject({ prompts: { isl: { mean: 30 } } })
    expect(model!.phases.map((p) => [p.name, p.options['concurrency'], p.requests])).toEqual([['warmup', 1, 1], ['steady', 6, 5]])
  })

  test.each([
    [{ concurency: 5 }, 'concurency is no path of a run'],
    [{ 'phases.steady.concurrency': 5 }, 'phase steady'],
    [{ rate: 5 }, 'no option of the timing mode concurrency'],
    [{ concurrency: 0 }, 'at least 1'],
    [{ 'endpoint.timeout': 'x' }, 'endpoint.timeout must be a number'],
  ])('%j is refused', async (values, words) => {
    const { problems } = await at('--model m', { values })
    expect(problems.map((p) => p.message).join()).toContain(words)
  })
})

describe('what contributions are given', () => {
  test('options by default and as set, of the chosen ones alone', async () => {
    const model = await modelOf(`--model m --input-file ${undated} --custom-dataset-type mooncake_trace --export-parquet`)
    expect(model.dataset).toMatchObject({ type: 'mooncake_trace', options: { blockSize: 512 } })
    expect(model.artifacts.options).toEqual({ parquet: { exportParquet: true } })
  })

  test('of a file whose format is found later, the values that were set', async () => {
    expect((await modelOf(`--model m --input-file ${trace} --isl-block-size 16`)).dataset).toMatchObject({ type: 'auto', options: { blockSize: 16 } })
  })

  test('a public dataset is a loader of its own', async () => {
    const { dataset } = await modelOf('--model m --public-dataset ShareGPT')
    expect(dataset.type).toBe('sharegpt')
    expect(dataset).not.toHaveProperty('entries')
    expect((await modelOf(`--model m --custom-dataset-type sharegpt --input-file ${trace}`)).dataset).toMatchObject({ type: 'sharegpt', path: trace })
  })

  test('telemetry that is on by default or asked for by a name', async () => {
    expect(Object.keys((await modelOf('--model m')).telemetry)).toEqual(['dcgm'])
    expect(Object.keys((await modelOf('--model m --gpu-telemetry pynvml')).telemetry)).toEqual(['dcgm', 'nvidia-smi'])
    expect(Object.keys((await modelOf('--model m --no-gpu-telemetry')).telemetry)).toEqual([])
  })

  test('streaming is left out where the endpoint type has no streams, and said to be', async () => {
    const { model, notices } = await resolve('--model m --streaming --endpoint-type embeddings')
    expect(model!.endpoint.streaming).toBe(false)
    expect(notices).toEqual([expect.stringContaining('embeddings does not stream')])
  })

  test('a variable that is no option is pointed out, and harms nothing', async () => {
    expect((await resolve('--model m', { env: { AIPERF_CONCURENCY: '4', OTHER: 'x' } })).notices).toEqual([expect.stringMatching(/AIPERF_CONCURENCY.*AIPERF_CONCURRENCY/)])
  })
})
