import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aiperf, emptyFolder, home } from './program.js'

test('help of profile shows the flags of core and of every installed package', async () => {
  const { code, stdout, stderr } = await aiperf(['profile', '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const flag of ['--model', '--concurrency', '--isl', '--num-sessions', '--request-rate', '--export-level', '--num-users', '--config']) expect(stdout).toContain(flag)
  expect(stdout).toContain('default: http://localhost:8000')
})

test('help says how to turn off what is on, and is there by the names that other programs have for it', async () => {
  const { stdout } = await aiperf(['help', 'profile'])
  expect(stdout).toMatch(/--tls-verify\n +Check the server's certificate \[default: true; off: --no-tls-verify\]/)
  expect((await aiperf(['help'])).stdout).toBe((await aiperf(['--help'])).stdout)
  expect((await aiperf(['version'])).stdout).toMatch(/^aiperf\/\d/)
})

test('a command that does not exist is answered with the nearest ones', async () => {
  const hint = async (...args: string[]) => (await aiperf(args)).stderr
  expect(await hint('profle')).toMatch(/There is no command "profle"\.\n +Did you mean profile\?/)
  expect(await hint('config', 'inti')).toMatch(/Did you mean config init\?/)
  expect(await hint('xyzzy')).toMatch(/There is no command "xyzzy"\.\n +aiperf --help lists/)
})

test('help and lists load no plugin code', async () => {
  const folder = emptyFolder()
  const plugin = join(folder, 'plugin')
  mkdirSync(plugin)
  writeFileSync(join(plugin, 'package.json'), JSON.stringify({ name: 'aiperf-plugin-trap', version: '1.0.0', type: 'module', oclif: {}, aiperf: { api: 1, contributes: { ramp: { trap: { entry: './trap.js' } } } } }))
  writeFileSync(join(plugin, 'trap.js'), 'console.log("trap sprung"); process.exit(9)')
  const env = home(folder)
  expect((await aiperf(['plugins', 'link', plugin, '--no-install'], { env })).code).toBe(0)
  for (const args of [['--help'], ['profile', '--help'], ['plugins', '--all']]) {
    const { code, stdout } = await aiperf(args, { env })
    expect(code).toBe(0)
    expect(stdout).not.toContain('trap sprung')
  }
  expect((await aiperf(['plugins', 'ramp', 'trap'], { env })).stdout).toContain('aiperf-plugin-trap 1.0.0')
})

describe('commands that do not exist, or are used wrongly', () => {
  test.each([
    [['profil']],
    [['export']],
    [['export', 'nowhere']],
    [['plugins', 'nonsense']],
    [['plugins', 'endpoint', 'nonsense']],
    [['mock-server', '--no-such-flag']],
    [['mock-server', '--ttft-ms', 'soon']],
  ])('%j', async (args) => {
    const { code, stdout, stderr } = await aiperf(args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Error /)
    expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/)
  })
})

test('the schema of a config file holds the options of the installed packages', async () => {
  const { code, stdout } = await aiperf(['config', 'schema'])
  expect(code).toBe(0)
  const schema = JSON.parse(stdout) as { properties: { benchmark: { properties: Record<string, { properties?: object; items?: { properties: object } }> } } }
  const { endpoint, dataset, phases } = schema.properties.benchmark.properties
  expect(endpoint!.properties).toHaveProperty('urls')
  expect(dataset!.properties).toHaveProperty('prompts')
  expect(phases!.items!.properties).toHaveProperty('rate')
  expect(stdout).not.toContain('"flag"')
})
