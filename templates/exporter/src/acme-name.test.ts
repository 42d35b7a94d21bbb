import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MemoryDir, sampleRun, testPlugin } from '@aiperf/conformance'
import acme from './acme-name.js'

testPlugin({ describe, test }, { package: new URL('..', import.meta.url), cases: { exporter: { acme_name: { files: ['acme_name.md'] } } } })

test('a metric is a row', async () => {
  const dir = new MemoryDir()
  const exporter = await acme.create({ options: { acmeNameDigits: 1 }, random: () => assert.fail() })
  await exporter.write(await sampleRun(), dir)
  assert.match(dir.files.get('acme_name.md')!.toString(), /\| Request Latency \| ms \| \d+\.\d \|/)
})
