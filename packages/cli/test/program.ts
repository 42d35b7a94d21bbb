import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}
interface Options {
  cwd?: string
  env?: Record<string, string>
  /** Called with the running process. */
  started?(child: ChildProcess, output: () => string): void
}

export const BIN = fileURLToPath(new URL('../bin/run.js', import.meta.url))
export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'aiperf-cli-'))
/** The program's own folders, away from those of whoever runs the tests. */
export const home = (folder = emptyFolder()): Record<string, string> => ({
  XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config'), XDG_CACHE_HOME: join(folder, 'cache'), LOCALAPPDATA: join(folder, 'local'),
})
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(AIPERF_|FORCE_COLOR|NODE_OPTIONS)/i.test(name)))
const HOME = home()

/** Runs the program as a user would, to its end. */
export function aiperf(args: readonly string[], { cwd = emptyFolder(), env = {}, started }: Options = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd, env: { ...ENV, ...HOME, NO_COLOR: '1', COLUMNS: '160', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()))
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
    started?.(child, () => stdout + stderr)
  })
}
