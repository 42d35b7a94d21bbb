// The server that clients are measured against: a small C program of ours, compiled on first use; without a C compiler, or
// with AIPERF_BENCH_TARGET=mock, the embedded mock server (fast enough for streams, not for the most requests per second).
import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CORE, pinned } from '../measure/process.mjs'

const folder = import.meta.dirname
const sources = ['main.c', 'request.c', 'truth.c'].map((name) => join(folder, name))
const program = join(folder, 'build/target')
const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Path of the compiled target; undefined when it cannot be made here. */
function compiled() {
  if (process.env.AIPERF_BENCH_TARGET === 'mock' || process.platform !== 'linux') return undefined
  if (existsSync(program) && [...sources, join(folder, 'target.h')].every((path) => modified(path) <= modified(program))) return program
  mkdirSync(join(folder, 'build'), { recursive: true })
  const { status, error } = spawnSync(process.env.CC ?? 'cc', ['-O2', '-o', program, ...sources], { stdio: ['ignore', 'inherit', 'inherit'] })
  return error || status !== 0 ? undefined : program
}

/**
 * Starts a target on its own core.
 * @param {{ tokens: number, ttftMs?: number, itlMs?: number, truth?: boolean }} options Without `ttftMs` it answers at once.
 */
export async function startTarget({ tokens, ttftMs, itlMs = 5, truth = false }) {
  const native = compiled()
  const log = truth ? join(mkdtempSync(join(tmpdir(), 'aiperf-target-')), 'truth.jsonl') : undefined
  const pace = ttftMs === undefined ? ['--instant'] : ['--ttft-ms', String(ttftMs), '--itl-ms', String(itlMs)]
  // With a core of its own it never sleeps while it keeps a log: the time until it wakes would be told as the client's.
  const awake = truth && CORE.target !== undefined ? ['--spin-us', '2000000'] : []
  const argv = native
    ? [native, '--port', '0', '--tokens', String(tokens), ...pace, ...awake, ...(log ? ['--log', log] : [])]
    : [process.execPath, join(folder, '../../packages/cli/bin/run.js'), 'mock-server', '--port', '0', '--output-tokens', String(tokens), ...pace]
  const [command, ...args] = pinned(argv, CORE.target)
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => child.kill()
  process.once('exit', kill)
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line).url))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the target ended with code ${code}`)))
  })
  const ask = async (path, method = 'GET') => (await fetch(`${url}${path}`, { method })).text()
  return {
    url,
    kind: native ? 'native' : 'mock-server',
    /** Requests and events since the last reset, the time from the first request to the last event, and CPU time, s. */
    async stats() {
      const stats = JSON.parse(await ask('/__stats'))
      return native ? stats : mockStats(stats)
    },
    reset: () => ask('/__reset', native ? 'GET' : 'POST'),
    /** What was sent when: by request id, arrival (Unix ns) and the times of the tokens (µs after the arrival). */
    async truth() {
      const records = new Map()
      const add = (line) => {
        const { id, requestId, arrivalUnixNs, sentUs } = JSON.parse(line)
        records.set(id ?? requestId, { arrivalNs: BigInt(arrivalUnixNs), sentUs })
      }
      if (native) {
        await ask('/__flush')
        for await (const line of createInterface({ input: createReadStream(log) })) add(line)
      } else for (const line of (await ask('/__truth')).split('\n')) if (line) add(line)
      return records
    },
    async stop() {
      process.off('exit', kill)
      child.removeAllListeners('exit')
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
      if (log) rmSync(join(log, '..'), { recursive: true, force: true })
    },
  }
}

function mockStats(stats) {
  const seconds = (Number(stats.lastSendUnixNs) - Number(stats.firstArrivalUnixNs)) / 1e9
  return { requests: stats.requests, events: stats.tokens, seconds, cpuSeconds: (stats.cpuMs.user + stats.cpuMs.system) / 1000 }
}
