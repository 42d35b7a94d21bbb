import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pluginFolder } from '../../core/test/plugin-folder.js'
import { aiperf, BIN, emptyFolder, home } from './program.js'

const folder = emptyFolder()
const env = home(folder)
const trap = pluginFolder(
  {
    name: '@acme/endpoint', version: '1.0.0', oclif: {},
    aiperf: { api: 1, contributes: { endpoint: { acme: { entry: './trap.js', options: './trap.js', meta: { description: 'The API of Acme' } } } } },
  },
  {
    'trap.js': 'throw new Error("trap sprung")',
    'aiperf.manifest.json': JSON.stringify({ contributions: { endpoint: { acme: { options: { type: 'object', properties: { mood: { type: 'string', enum: ['calm', 'keen'], flag: '--acme-mood', description: 'How it writes' } } } } } } }),
  },
)
const completed = async (...words: string[]): Promise<string[]> => {
  const { code, stdout, stderr } = await aiperf(['completion', '--words', '--', ...words], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.split('\n').filter(Boolean).map((line) => line.split('\t')[0]!)
}

describe('what may come next', () => {
  test('commands, flags and values of a plugin as soon as it is linked, and none of its code is loaded', async () => {
    expect(await completed('profile', '--acme')).toEqual([])
    expect((await aiperf(['plugins', 'link', trap], { env })).code).toBe(0)
    expect(await completed('profile', '--acme')).toEqual(['--acme-mood'])
    expect(await completed('profile', '--acme-mood', '')).toEqual(['calm', 'keen'])
    expect(await completed('profile', '--endpoint-type', 'ac')).toEqual(['acme'])
    expect(await completed('profile', '--acme-mood=k')).toEqual(['--acme-mood=keen'])
    expect(await completed('profile', '--acme-mood', '=', 'k')).toEqual(['keen'])
    expect(await completed('profile', '--acme-mood', '=')).toEqual(['calm', 'keen'])
    expect(await completed('plugins', 'endpoints', 'ac')).toEqual(['acme'])
    expect(await completed('plugins', 'uninstall', '')).toEqual(['@acme/endpoint'])
  })
  test.each([
    [['pro'], ['profile']],
    [['plugins', 'un'], ['uninstall']],
    [['profile', '--warmup-arrival-pattern', 'poi'], ['poisson']],
    [['profile', '--streaming', '--concurrency', ''], []],
    [['profile', '--model', 'm', '--strea'], ['--streaming']],
    [['plugins', 'create', 'tel'], ['telemetry_source']],
    [['tool', 'analyze-trace', '--input'], ['--input-file']],
    [['validate', '--input'], ['--input-file']],
    [['plot', '--theme', ''], ['light', 'dark']],
    [['completion', 'f'], ['fish']],
    [['completion', '='], ['bash', 'zsh', 'fish', 'powershell']],
    [['nonsense', ''], []],
  ])('%j', async (words, expected) => {
    expect((await completed(...words)).sort()).toEqual([...expected].sort())
  })
})

test('a shell that there is no script for', async () => {
  expect(await aiperf(['completion', 'fsh'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Shells: bash, zsh, fish, powershell') })
})

/** What a shell asks and shows, for `aiperf profile --endpoint-type <begun>`. */
const ASK = {
  bash: (begun: string) => `COMP_WORDS=(aiperf profile --endpoint-type '${begun}') COMP_CWORD=3; _aiperf; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (begun: string) => `words=(aiperf profile --endpoint-type '${begun}') CURRENT=4; _aiperf`,
  fish: (begun: string) => `complete -C 'aiperf profile --endpoint-type ${begun}'`,
} as const
/** The parts of zsh's completion that only an interactive shell has. */
const BEFORE = { bash: '', zsh: 'compdef() { }; _describe() { print -l -- "${(@P)2}" }; _files() { print PATHS }\n', fish: '' }

describe.skipIf(process.platform === 'win32')('a shell completes by the script it was given:', () => {
  const present = (shell: string) => spawnSync(shell, ['-c', 'exit'], { stdio: 'ignore' }).status === 0
  test.each(['bash', 'zsh', 'fish'] as const)('%s', async (shell) => {
    if (!present(shell)) return
    const program = join(folder, 'aiperf')
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
    chmodSync(program, 0o755)
    const { stdout: script } = await aiperf(['completion', shell])
    const ask = (begun: string) => execFileSync(shell, ['-c', `${BEFORE[shell]}${script}\n${ASK[shell](begun)}`], { encoding: 'utf8', cwd: emptyFolder(), env: { ...process.env, ...env, PATH: `${folder}${delimiter}${process.env['PATH']}` } }).trim().split('\n')
    expect(ask('coh')).toEqual([expect.stringMatching(/^cohere_rankings\W*$/)])
    expect(ask('nonsense')).toEqual([shell === 'zsh' ? 'PATHS' : ''])
  })
})

/** What PowerShell would call the completer with: the word that is begun, the elements of the command line, where the cursor is. */
const QUESTION = (line: string, begun: string) => `$script:block.Invoke('${begun}', [System.Management.Automation.Language.Parser]::ParseInput('${line}', [ref]$null, [ref]$null).EndBlock.Statements[0].PipelineElements[0], ${line.length}) | ForEach-Object { $_.CompletionText }`

test('powershell', async () => {
  const { code, stdout: script } = await aiperf(['completion', 'powershell'])
  expect(code).toBe(0)
  // What of it the program depends on: it registers a completer that hands on the words before the cursor and the one that is
  // begun, `=` for none, in the form that the tests above ask in; and takes what stands before the tab.
  for (const part of ['Register-ArgumentCompleter -Native -CommandName aiperf ', "@('completion', '--words', '--') + $before + @($last)", "else { '=' }", '-split "`t", 2', 'aiperf @words 2>$null']) expect(script).toContain(part)
  for (const [open, close] of ['{}', '()', '[]']) expect(script.split(open!).length).toBe(script.split(close!).length)
  const { stdout: lines } = await aiperf(['completion', '--words', '--', 'completion', '='])
  expect(lines.trim().split('\n').every((line) => /^[^\t]+\t/.test(`${line}\t`))).toBe(true)

  const shell = ['pwsh', 'powershell'].find((name) => spawnSync(name, ['-NoProfile', '-Command', 'exit'], { stdio: 'ignore' }).status === 0)
  if (shell === undefined) return
  const catching = 'function Register-ArgumentCompleter { param([switch]$Native, $CommandName, $ScriptBlock) $script:block = $ScriptBlock }'
  const program = `function aiperf { & '${process.execPath}' '${BIN}' @args }`
  const ask = (line: string, begun: string) => execFileSync(shell, ['-NoProfile', '-Command', [catching, program, script, QUESTION(line, begun)].join('\n')], { encoding: 'utf8', env: { ...process.env, ...env } }).trim().split(/\r?\n/)
  expect(ask('aiperf profile --endpoint-type coh', 'coh')).toEqual(['cohere_rankings'])
  expect(ask('aiperf completion ', '')).toEqual(expect.arrayContaining(['bash', 'powershell']))
}, 60_000)
