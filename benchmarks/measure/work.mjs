// Counts what a run of the program does, by thread, from V8's own coverage: modules loaded and functions called. Counts, unlike
// times, are the same on every machine.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = join(import.meta.dirname, '../../packages/cli/bin/run.js')

async function start(args, { node = [], env = {} } = {}) {
  // Not the environment of a test runner: under it the framework looks for sources to compile.
  const child = spawn(process.execPath, [...node, program, ...args], { env: { ...process.env, NODE_ENV: 'production', AIPERF_DATA_DIR: join(tmpdir(), 'aiperf-no-packages'), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = await Promise.all([child.stdout, child.stderr].map(async (stream) => {
    let text = ''
    for await (const piece of stream.setEncoding('utf8')) text += piece
    return text
  }))
  const code = await new Promise((resolve) => (child.exitCode === null ? child.once('close', resolve) : resolve(child.exitCode)))
  if (code !== 0) throw new Error(`aiperf ${args.join(' ')} ended with code ${code}: ${texts.join('\n')}`)
  return texts[0]
}

/** A thread's work: the files it loaded, and how often each function of ours was called, by name. */
class ThreadWork {
  files
  calls = 0
  #byName = new Map()
  constructor(scripts) {
    this.files = scripts.map(({ url }) => fileURLToPath(url))
    for (const { functions } of scripts)
      for (const { functionName, ranges } of functions) {
        this.calls += ranges[0].count
        this.#byName.set(functionName, (this.#byName.get(functionName) ?? 0) + ranges[0].count)
      }
  }
  callsOf(name) {
    return this.#byName.get(name) ?? 0
  }
  loaded(pattern) {
    return this.files.filter((file) => pattern.test(file))
  }
}

/** Runs the program and resolves with the work of each thread: `main`, and threads by the name of their module (`worker`). */
export async function countWork(args) {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-work-'))
  try {
    await start(args, { env: { NODE_V8_COVERAGE: folder } })
    const threads = {}
    for (const name of readdirSync(folder)) {
      const scripts = JSON.parse(readFileSync(join(folder, name), 'utf8')).result.filter(({ url }) => url.startsWith('file:'))
      const role = scripts.map(({ url }) => /\/(\w+)[./]thread\.js$/.exec(url)?.[1]).find(Boolean) ?? 'main'
      threads[role] = new ThreadWork(scripts)
    }
    return threads
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Bytes that all threads of a run allocated in their young generations, from the collector's own trace. */
export async function countAllocation(args) {
  const after = new Map()
  let megabytes = 0
  for (const [, isolate, before, left] of (await start(args, { node: ['--trace-gc'] })).matchAll(/^\[\d+:(0x[0-9a-f]+)\].*?: (?:Scavenge|Mark-Compact)[^\d]*([\d.]+) \([\d.]+\) -> ([\d.]+)/gm)) {
    megabytes += Number(before) - (after.get(isolate) ?? 0)
    after.set(isolate, Number(left))
  }
  return megabytes * 2 ** 20
}
