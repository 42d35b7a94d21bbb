import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AiperfError } from '@aiperf/core'
import type { Config } from '@oclif/core/interfaces'

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** The npm that comes with the program; the one on the PATH otherwise. */
function npmProgram(config: Config): { command: string; first: string[]; shell: boolean } {
  try {
    const plugins = createRequire(join(config.root, 'package.json')).resolve('@oclif/plugin-plugins')
    const bundled = createRequire(plugins).resolve('npm/package.json')
    const cli = join(dirname(bundled), 'bin/npm-cli.js')
    if (existsSync(cli)) return { command: process.execPath, first: [cli], shell: false }
  } catch {
    // Not installed beside the program.
  }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', first: [], shell: process.platform === 'win32' }
}

export interface NpmOptions {
  /** Let the scripts of packages run; never without being asked. */
  scripts?: boolean
  cwd?: string
}

/** Runs npm to its end and returns what it printed. @throws AiperfError E_COMMAND with npm's own words. */
export async function npm(config: Config, args: readonly string[], { scripts = false, cwd = config.dataDir }: NpmOptions = {}): Promise<string> {
  const { command, first, shell } = npmProgram(config)
  const all = [...first, ...args, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error', `--ignore-scripts=${!scripts}`, ...(config.npmRegistry ? [`--registry=${config.npmRegistry}`] : [])]
  mkdirSync(cwd, { recursive: true })
  return new Promise((resolve, reject) => {
    execFile(command, all, { cwd, shell, maxBuffer: MAX_OUTPUT_BYTES, env: { ...process.env, HUSKY: '0' } }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      // A failed audit is told as a result.
      const said = wordsOf(stderr).length > 0 ? stderr : stdout
      reject(new AiperfError('E_COMMAND', `npm ${args[0]} failed: ${wordsOf(said).slice(0, 4).join(' ') || error.message.split('\n')[0]}`, { hint: hintFor(said), cause: error }))
    })
  })
}

/** The lines of npm's output that say what happened. */
const wordsOf = (output: string): string[] =>
  output.split('\n').map((line) => line.replace(/^npm (ERR!|error)\s?/, '').trim()).filter((line) => line !== '' && !/^(code|audited|A complete log|In most cases|or specify)/i.test(line) && !line.startsWith('/'))

function hintFor(said: string): string {
  if (/E404|ETARGET/.test(said)) return 'Check the name and the version; `npm config get registry` says where npm looks.'
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|network/i.test(said)) return 'The registry cannot be reached: check the network, or AIPERF_NPM_REGISTRY and npm\'s own configuration.'
  if (/EACCES|EPERM/.test(said)) return 'Check who owns the program\'s data folder (`aiperf plugins doctor` names it).'
  if (/ENOENT.*git|git.*ENOENT|spawn git/.test(said)) return 'Packages from git need git on the PATH.'
  if (/registry signature|attestation/.test(said)) return 'Nothing was changed. Ask its author, or whoever runs the registry.'
  return 'Set AIPERF_DEBUG=1 for all that npm said.'
}
