import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleTable, SeriesSummary } from '@aiperf/core'
import source from '../dist/server-metrics.js'
import { exported, exposition, Lab, runOf, type Phase } from './lab.js'

const NAMES = ['vllm', 'sglang', 'trtllm', 'triton', 'tgi', 'dynamo', 'llamacpp']
const SECONDS = 1.2
const lab = new Lab()
let phase: Phase
let tables: readonly ConsoleTable[]
let at: 0 | 1 = 0

beforeAll(async () => {
  const url = await lab.serve((request, response) => {
    const name = request.url!.split('/')[1]!
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(exposition(name, at))
  })
  phase = await lab.phase([], { urls: NAMES.map((name) => `${url}/${name}/metrics`) }, async () => {
    at = 1
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000))
  }, { live: true })
  tables = (await exported(runOf(phase))).tables
})
afterAll(() => lab.close())

const series = (name: string): SeriesSummary[] => [...phase.results[0]!.summarise([phase.window], name)]
const seconds = (): number => (phase.window.endNs - phase.window.startNs) / 1e9
const row = (server: string, label: string): (string | number | undefined)[] | undefined => tables.find(({ title }) => title.includes(`| ${server} |`))?.rows.find(([head]) => head === label)

describe('expositions of known servers', () => {
  it('parse to the values they hold, under their own names', () => {
    expect(phase.said).toEqual([])
    expect(phase.results[0]!.targets).toHaveLength(NAMES.length)
    expect(series('vllm:request_success_total').map((s) => [s.series.labels['finished_reason'], s.counter])).toEqual([
      ['stop', expect.objectContaining({ total: 0 })],
      ['length', expect.objectContaining({ total: 40, exact: true })],
    ])
    const ttft = series('vllm:time_to_first_token_seconds')[0]!
    expect(ttft.histogram).toMatchObject({ count: 40, buckets: [0, 20, 40, 40], exact: true })
    expect(ttft.histogram!.avg).toBeCloseTo(0.02, 9)
    expect(ttft.histogram!.quantiles['p50']).toEqual({ estimate: 0.02, low: 0.01, high: 0.02 })
    expect(ttft.series).toMatchObject({ unit: 'seconds', labels: { engine: '0', model_name: 'meta-llama/Llama-3.1-8B' } })
    expect(series('vllm:cache_config_info')[0]!.series).toMatchObject({ type: 'info', labels: { block_size: '16' } })
    expect(series('vllm:kv_cache_usage_perc')[0]!.series.unit).toBe('ratio')
    expect(series('nv_inference_queue_duration_us')[0]!.series.unit).toBe('microseconds')
  })
  it('leave out summaries, births and uptimes', () => {
    const names = phase.results[0]!.series.map((s) => s.series.name)
    for (const left of ['nv_inference_request_summary_us', 'vllm:prefix_cache_queries_created', 'dynamo_component_uptime_seconds']) expect(names.filter((name) => name.startsWith(left))).toEqual([])
  })
  it('name queue depth, running requests, cache use and hits, rates and times in the console', () => {
    expect(tables.map(({ title }) => title.split(' | ')[1])).toEqual(['vLLM', 'SGLang', 'TensorRT-LLM', 'Triton', 'TGI', 'Dynamo', 'llama.cpp'])
    expect(row('vLLM', 'Requests running')!.slice(1)).toEqual([6, 6, 6, 6, 6, 6, 0])
    expect(row('vLLM', 'Requests waiting')![1]).toBe(2)
    expect(row('vLLM', 'KV-cache use (%)')![1]).toBeCloseTo(25, 9)
    expect(row('vLLM', 'Prefix-cache hits (%)')![1]).toBeCloseTo(25, 9)
    expect(row('vLLM', 'Output tokens (tokens/s)')![1]).toBeCloseTo(800 / seconds(), 6)
    expect(row('vLLM', 'Time to first token, server (ms)')).toEqual(['Time to first token, server (ms)', expect.closeTo(20, 6), undefined, undefined, '~39.6', '~36', '~20', undefined])
    expect(row('vLLM', 'Time in queue (ms)')![1]).toBeCloseTo(100, 6)
    expect(row('SGLang', 'Requests waiting')![1]).toBe(2826)
    expect(row('SGLang', 'Prefix-cache hits (%)')![1]).toBeCloseTo(30, 9)
    expect(row('SGLang', 'Request latency, server (ms)')![1]).toBeCloseTo(2000, 6)
    expect(row('TensorRT-LLM', 'KV-cache use (%)')![1]).toBeCloseTo(62, 9)
    expect(row('TensorRT-LLM', 'Time to first token, server (ms)')![1]).toBeCloseTo(50, 6)
    expect(row('Triton', 'Requests running')![1]).toBe(7)
    expect(row('Triton', 'KV-cache use (%)')![1]).toBeCloseTo(48.75, 9)
    expect(row('Triton', 'Batch size')![1]).toBe(4)
    expect(row('Triton', 'Request latency, server (ms)')![1]).toBe(20)
    expect(row('Triton', 'Failed requests, total')![1]).toBe(1)
    expect(row('TGI', 'Requests waiting')![1]).toBe(5)
    expect(row('TGI', 'Output tokens (tokens/s)')![1]).toBeCloseTo(800 / seconds(), 6)
    expect(row('TGI', 'Time in queue (ms)')![1]).toBeCloseTo(1, 6)
    expect(row('Dynamo', 'KV-cache use (%)')!.slice(1, 4)).toEqual([expect.closeTo(30, 9), 20, 40])
    expect(row('Dynamo', 'Output tokens (tokens/s)')![1]).toBeCloseTo(400 / seconds(), 6)
    expect(row('llama.cpp', 'Prompt tokens (tokens/s)')![1]).toBeCloseTo(400 / seconds(), 6)
  })
  it('show live', () => {
    const line = (label: string): string => phase.live.find((l) => l.label.startsWith(label))!.value
    expect(line('vLLM')).toMatch(/^6 running · 2 waiting · KV 25 %/)
    expect(line('TGI')).toMatch(/^4 running · 5 waiting/)
  })
  it('feed the verdict', () => {
    const codes = source.judge!(phase.results[0]!, phase.window).map(({ code, level, message }) => `${level} ${code}: ${message.replace(/http\S+/g, 'URL')}`)
    expect(codes).toContainEqual('note server-queue: 2.0 requests waited at vLLM at URL on average')
    expect(codes.filter((code) => code.includes('prefix-cache-hits') && code.includes('25 % of the prompt came from the prefix cache of vLLM'))).toHaveLength(1)
    expect(codes.some((code) => code.includes('restarted') || code.includes('saturated'))).toBe(false)
  })
})
