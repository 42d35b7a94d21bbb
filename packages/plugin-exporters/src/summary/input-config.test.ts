import { expect, test } from 'vitest'
import { warmedRun } from '../../test/typical.js'
import { inputConfig } from './input-config.js'

const configOf = (explicitOptions: object): Record<string, unknown> => {
  const { manifest } = warmedRun()
  return inputConfig({ ...manifest, explicitOptions: explicitOptions as never })
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
  const given = { models: { items: [{ name: 'm', weight: 2 }] }, datasets: [{ name: 'main', type: 'file', path: 'x' }], phases: [{ name: 'profiling', type: 'concurrency', concurrency: 4 }], slos: { request_latency: 250 } }
  const config = configOf(given)
  expect(config).toMatchObject({ models: given.models, datasets: given.datasets, slos: given.slos })
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
