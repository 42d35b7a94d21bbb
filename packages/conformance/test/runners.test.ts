import { execFile } from 'node:child_process'
import { mkdtempSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const timing = dirname(createRequire(import.meta.url).resolve('@aiperf/conformance/package.json'))

test('the suite runs under node:test as it does under vitest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-node-test-'))
  mkdirSync(join(folder, 'node_modules/@aiperf'), { recursive: true })
  symlinkSync(timing, join(folder, 'node_modules/@aiperf/conformance'), 'junction')
  writeFileSync(join(folder, 'ramp.js'), `export default { kind: 'ramp', api: 1, create: () => ({ curve: () => ({ at: (s) => s, inverse: (p) => p }) }) }`)
  writeFileSync(join(folder, 'aiperf.manifest.json'), '{"contributions":{}}')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: '@acme/ramp', version: '1.0.0', description: 'A straight line', license: 'MIT', type: 'module', engines: { node: '>=20' }, files: ['aiperf.manifest.json'], oclif: {}, aiperf: { api: 1, contributes: { ramp: { straight: { entry: './ramp.js', meta: { description: 'A straight line' } } } } } }))
  writeFileSync(join(folder, 'plugin.test.js'), `import { describe, test } from 'node:test'\nimport { testPlugin } from '@aiperf/conformance'\ntestPlugin({ describe, test }, { package: new URL('.', import.meta.url), cases: { ramp: { straight: { skip: { curve: 'a reason' } } } } })`)
  await new Promise((resolve) => setTimeout(resolve, 10))
  writeFileSync(join(folder, 'aiperf.manifest.json'), '{"contributions":{}}')
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', join(folder, 'plugin.test.js')], { env })
  expect(stdout).toMatch(/# pass 9\b/)
  expect(stdout).toMatch(/# skipped 3\b/)
  expect(stdout).toMatch(/# fail 0\b/)
})
