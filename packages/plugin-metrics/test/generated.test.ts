import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allMetrics } from './metrics.js'

const packageDirectory = join(import.meta.dirname, '..')
const print = (module: string, expression: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', `import * as m from ${JSON.stringify(join(packageDirectory, 'scripts', module))}; process.stdout.write(${expression})`], { encoding: 'utf8' })

it('docs/metrics.md is what the definitions say', () => {
  expect(readFileSync(join(packageDirectory, '../../docs/metrics.md'), 'utf8')).toBe(print('reference.mjs', 'await m.reference()'))
})

it('package.json lists every family with its tags', () => {
  const { aiperf } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { aiperf: { contributes: { metric: Record<string, { meta: { tags: string[] } }> } } }
  expect(aiperf.contributes.metric).toEqual(JSON.parse(print('families.mjs', 'JSON.stringify(m.contributions(await m.loadFamilies()))')))
  expect(Object.values(aiperf.contributes.metric).flatMap(({ meta }) => meta.tags).toSorted()).toEqual(allMetrics.map((m) => m.tag).toSorted())
})
