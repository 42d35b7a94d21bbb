import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../cli/bin/run.js')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the program as a user does. */
export function aiperf(args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += String(chunk)))
    child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** A command that serves until it is stopped; resolves with its first line that matches. */
export async function serving(args: readonly string[], cwd: string, ready: RegExp): Promise<{ line: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (text) => ready.test(text) && resolve(text))
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with code ${code}`)))
  })
  return {
    line,
    stop: () => new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.kill('SIGINT')
    }),
  }
}
