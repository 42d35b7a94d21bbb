import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Kind } from '@aiperf/core'

/** What came of trying a contribution. */
export interface Probed {
  kind: Kind
  name: string
  /** What is wrong; absent when nothing. */
  problem?: string
  fault?: 'manifest' | 'import' | 'create' | 'api' | 'shape' | 'leak' | 'hang' | 'crash'
}

export type ProbeMessage = { at: number; stage: 'import' | 'create'; kind: Kind; name: string } | { at: number; result: Probed }

export interface ProbeOptions {
  /** Only this kind, or this contribution. */
  kind?: Kind
  name?: string
  /** Time that importing or creating one contribution may take, ms. */
  limitMs?: number
}

const CHILD = fileURLToPath(new URL('child.js', import.meta.url))
const LIMIT_MS = 10_000

/**
 * Loads, creates and ends every contribution of the package in a folder, in a process of its own, and says what each does
 * wrong: throws, hangs, answers a wrong shape, was written for another contract, leaves a timer running.
 */
export async function probePackage(directory: string, { kind, name, limitMs = LIMIT_MS }: ProbeOptions = {}): Promise<Probed[]> {
  const results: Probed[] = []
  for (let passed = 0; ; ) {
    const ended = await oneProcess(directory, passed, kind, name, limitMs, results)
    if (ended === 'done') return results
    passed = ended
  }
}

/** Runs until all are tried, or one hangs or crashes the process: then the number of the next one. */
function oneProcess(directory: string, passed: number, kind: Kind | undefined, name: string | undefined, limitMs: number, results: Probed[]): Promise<'done' | number> {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, [directory, String(passed), kind ?? '', name ?? ''], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: { ...process.env, AIPERF_PLUGIN_TIMEOUT: String((limitMs * 10) / 1000) } })
    let last: Extract<ProbeMessage, { stage: unknown }> | undefined
    let timer: NodeJS.Timeout | undefined
    let hangs = false
    let said = ''
    child.stderr?.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-4000)))
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        hangs = true
        child.kill('SIGKILL')
      }, limitMs)
    }
    watch()
    child.on('message', (message: ProbeMessage) => {
      watch()
      if ('result' in message) results.push(message.result)
      last = 'result' in message ? undefined : message
    })
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      if (last === undefined) return code === 0 ? resolve('done') : reject(new Error(said.trim().split('\n').find((line) => /Error/.test(line)) ?? `the process that tries the plugin ended with code ${code}`))
      const what = last.stage === 'import' ? 'importing it' : 'creating it'
      const problem = hangs ? `${what} did not end within ${limitMs / 1000} s` : `${what} ended the process (exit code ${code})${said ? `: ${said.trim().split('\n').find((line) => /Error/.test(line)) ?? ''}` : ''}`
      results.push({ kind: last.kind, name: last.name, problem, fault: hangs ? 'hang' : 'crash' })
      resolve(last.at + 1)
    })
  })
}
