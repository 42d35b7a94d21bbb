import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIndex } from '@aiperf/core/host'
import { pluginFolder } from '../../test/plugin-folder.js'
import { buildManifest } from './build-manifest.js'

/** As an installed package would find it. */
function withZod(directory: string): string {
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(dirname(createRequire(import.meta.url).resolve('zod/package.json')), join(directory, 'node_modules/zod'), 'junction')
  return directory
}
const endpoint = (extra: string) => `export default { kind: 'endpoint', api: 1, ${extra} create: () => ({}) }`

test('options become JSON Schema with their flags, defaults and bounds', async () => {
  const options = `import { z } from 'zod'
    export default z.strictObject({ level: z.int().min(1).default(2).describe('How loud').meta({ flag: '--acme-level', group: 'Acme' }), extra: z.record(z.string(), z.json()).optional() })`
  const directory = withZod(pluginFolder({ name: '@acme/x', aiperf: { api: 1, contributes: { endpoint: { echo: { entry: './e.js', options: './o.js' } } } } }, { 'e.js': endpoint(''), 'o.js': options }))
  expect(await buildManifest(directory)).toEqual([])
  const [echo] = buildIndex([{ directory, origin: 'linked' }]).contributions
  expect(echo!.problem).toBeUndefined()
  expect(echo!.options!.properties!['level']).toMatchObject({ type: 'integer', minimum: 1, default: 2, description: 'How loud', flag: '--acme-level', group: 'Acme' })
  expect(JSON.stringify(echo!.options)).not.toContain('$ref')
})

test('options that stand in the entry module itself are found there', async () => {
  const code = `import { z } from 'zod'\n${endpoint('options: z.strictObject({ level: z.number() }),')}`
  const directory = withZod(pluginFolder({ name: '@acme/x', aiperf: { api: 1, contributes: { endpoint: { echo: { entry: './e.js' } } } } }, { 'e.js': code }))
  expect(await buildManifest(directory)).toEqual([])
  expect(buildIndex([{ directory, origin: 'linked' }]).contributions[0]!.options!.properties).toHaveProperty('level')
})

test('a metric module lists its metrics', async () => {
  const code = `export default { kind: 'metric', api: 1, create: () => [{ tag: 'acme_latency', header: 'Acme', unit: 'ns', displayUnit: 'ms', kind: 'record', description: 'd', gates: ['streaming'], compute: () => 1 }] }`
  const directory = pluginFolder({ name: '@acme/m', aiperf: { api: 1, contributes: { metric: { acme: { entry: './m.js' } } } } }, { 'm.js': code })
  expect(await buildManifest(directory)).toEqual([])
  expect(buildIndex([{ directory, origin: 'linked' }]).contributions[0]!.metrics).toEqual([{ tag: 'acme_latency', header: 'Acme', unit: 'ns', displayUnit: 'ms', kind: 'record', description: 'd', gates: ['streaming'] }])
})

test('what cannot be described is said, the rest is written', async () => {
  const directory = pluginFolder({ name: '@acme/x', aiperf: { api: 1, contributes: { endpoint: { bad: { entry: './missing.js' }, wrong: { entry: './w.js' }, fine: { entry: './e.js' } }, nonsense: {} } } }, { 'e.js': endpoint(''), 'w.js': 'export default { kind: "ui", api: 1, create() {} }' })
  const problems = await buildManifest(directory)
  expect(problems).toHaveLength(3)
  expect(problems.join('\n')).toMatch(/endpoint bad.*\n.*endpoint wrong.*kind "ui".*\n.*nonsense/s)
  expect(Object.keys((JSON.parse(readFileSync(join(directory, 'aiperf.manifest.json'), 'utf8')) as { contributions: { endpoint: object } }).contributions.endpoint)).toEqual(['fine'])
})
