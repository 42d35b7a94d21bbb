import { expect, test } from 'vitest'
import type { RunManifest } from '@aiperf/core'
import { warmedRun } from '../../test/typical.js'
import { inputConfig } from './input-config.js'

const configOf = (explicitOptions: object, change: (manifest: RunManifest) => object = () => ({})): Record<string, unknown> => {
  const { manifest } = warmedRun()
  return inputConfig({ ...manifest, explicitOptions: explicitOptions as never, ...change(manifest) })
}

test('has models, datasets, phases and the folder in the form that readers know, whether given or not', () => {
  expect(configOf({ endpoint: { urls: ['http://a'] } })).toEqual({
    models: { items: [{ name: 'm' }] },
    artifacts: { dir: 'artifacts' },
    endpoint: { urls: ['http://a'], type: 'chat' },
    datasets: [{ name: 'main', type: 'synthetic' }],
    phases: [
      { name: 'warmup', kind: 'warmup', type: 'concurrency', exclude_from_results: true },
      { name: 'profiling', kind: 'profiling', type: 'concurrency' },
    ],
  })
})

test('keeps what was given', () => {
  const given = { models: { items: [{ name: 'm', weight: 2 }] }, datasets: [{ name: 'main', entries: 7, prompts: { isl: { mean: 5 }, block_size: 16 } }], phases: [{ name: 'profiling', type: 'concurrency', concurrency: 4 }], slos: { request_latency: 250 } }
  const config = configOf(given)
  expect(config).toMatchObject({ models: given.models, datasets: [{ ...given.datasets[0], type: 'synthetic' }], slos: given.slos })
  expect((config['phases'] as object[])[1]).toMatchObject({ concurrency: 4 })
})

test('names what readers know under other names as they know it', () => {
  const config = configOf({ ui: { type: 'none' }, runtime: { workers: 2 }, artifacts: { dir: 'x', level: 'raw' }, serverMetrics: { disabled: true } })
  expect(config).toMatchObject({ runtime: { workers: 2, ui: 'none' }, artifacts: { dir: 'x', raw: true }, server_metrics: { enabled: false } })
  expect(JSON.stringify(config)).not.toMatch(/"level"|"disabled"/)
  const ours = configOf({ runtime: { calibrate: false, recorders: 2, output: 'json' }, artifacts: { parquet: true, serverMetricsFormats: ['csv'] } })
  expect(ours).toMatchObject({ runtime: { record_processors: 2 }, artifacts: {}, server_metrics: { formats: ['csv'] } })
  expect(JSON.stringify(ours)).not.toMatch(/calibrate|output|recorders|parquet/)
})

test('says where a dataset comes from, and what is asked of texts that are not made where readers look for it', () => {
  const of = (dataset: object): unknown => (configOf({ datasets: [{ name: 'main', ...dataset }] }, ({ dataset: d }) => ({ dataset: { ...d, loader: 'mooncake_trace' } }))['datasets'] as object[])[0]
  const prompts = { block_size: 64, osl: { mean: 8 }, corpus: 'sonnet' }
  expect(of({ path: 'x', type: 'mooncake_trace', prompts })).toEqual({ name: 'main', type: 'file', format: 'mooncake_trace', path: 'x', osl: { mean: 8 }, block_size: 64, prompts: { corpus: 'sonnet' } })
  expect(of({ records: [{}] })).toEqual({ name: 'main', type: 'file', format: 'mooncake_trace', records: [{}] })
  expect(of({ public_dataset: 'sharegpt' })).toEqual({ name: 'main', type: 'public', dataset: 'sharegpt' })
})

test('has no key that those readers do not know: they refuse the whole file', () => {
  const config = configOf(
    {
      phases: [{ name: 'profiling', type: 'poisson', rate: 5, pattern: 'poisson', overload: 'queue', rate_ramp: { duration: 1, exponent: 2 } }],
      endpoint: { urls: ['http://a'], ip_version: 4, payload_template: '{}', response_field: 'text', headers: { 'X-Any': 'name' } },
      network_latency: { mean: 1.5 },
      transport: { type: 'http' },
      tokenizer: { name: 'builtin', pattern: 'o200k' },
    },
    ({ phases }) => ({ phases: phases.slice(1).map((phase) => ({ ...phase, mode: 'request_rate', options: { pattern: 'poisson' } })) }),
  )
  expect(config['phases']).toEqual([{ name: 'profiling', kind: 'profiling', type: 'poisson', rate: 5, rate_ramp: { duration: 1 } }])
  expect(config['endpoint']).toEqual({ urls: ['http://a'], type: 'chat', headers: { 'X-Any': 'name' }, template: { body: '{}', response_field: 'text' } })
  expect(config).toMatchObject({ network_latency: { mean_ms: 1.5 }, tokenizer: { name: 'builtin' } })
  expect(JSON.stringify(config)).not.toMatch(/transport|pattern/)
  const adapting = configOf({ phases: [{ name: 'profiling', adaptive_scale: { max: 4 }, sla: [] }] }, ({ phases }) => ({ phases: phases.slice(1).map((phase) => ({ ...phase, mode: 'adaptive_scale', options: {} })) }))
  expect(adapting['phases']).toEqual([{ name: 'profiling', kind: 'profiling', type: 'concurrency' }])
})
