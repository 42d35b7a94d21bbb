import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rampPlugin } from '../../core/test/plugin-folder.js'
import { aiperf, emptyFolder, home } from './program.js'
import { startSignedRegistry } from './registry/signed.js'

test('where provenance is required, a version that states it and is signed is installed; one without it, or with another signature, is not', async () => {
  const directory = rampPlugin('@acme/ramps', 'steep')
  const registry = await startSignedRegistry('@acme/ramps', [
    { directory, version: '1.0.0', provenance: true },
    { directory, version: '1.1.0', provenance: false },
    { directory, version: '1.2.0', provenance: true, forged: true },
  ])
  const folder = emptyFolder()
  const rules = join(folder, 'plugins.json')
  writeFileSync(rules, '{ "provenance": "required" }')
  const env = { ...home(folder), ...registry.env, AIPERF_PLUGINS_POLICY: rules }
  const installed = async () => (JSON.parse((await aiperf(['plugins', '--json'], { env })).stdout) as { version: string; origin: string }[]).filter(({ origin }) => origin === 'installed').map(({ version }) => version)
  try {
    expect(await aiperf(['plugins', 'install', '@acme/ramps@1.2.0'], { env })).toMatchObject({ code: 2, stderr: expect.stringMatching(/invalid registry signature: @acme\/ramps@1\.2\.0[\s\S]*Nothing was changed/) })
    expect(await installed()).toEqual([])
    expect(await aiperf(['plugins', 'install', '@acme/ramps@1.0.0'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(await installed()).toEqual(['1.0.0'])
    expect(await aiperf(['plugins', 'install', '@acme/ramps@1.1.0'], { env })).toMatchObject({ code: 2, stderr: expect.stringMatching(/@acme\/ramps 1\.1\.0 may not be installed: .*asks for provenance, and the registry states none/) })
    expect(await aiperf(['plugins', 'install', '@acme/ramps@1.2.0'], { env })).toMatchObject({ code: 2 })
    expect(await installed()).toEqual(['1.0.0'])
    expect((await aiperf(['plugins', 'doctor', '@acme/ramps'], { env })).code).toBe(0)
  } finally {
    registry.close()
  }
}, 120_000)
