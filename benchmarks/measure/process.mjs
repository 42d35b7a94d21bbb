// Starts programs, pins them to a core where the system can, and says what they cost.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const linux = process.platform === 'linux'
const cores = linux && availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0 ? allowedCores() : []

/** Core of the clients and core of the target: the last two that this process may use. Undefined: nothing is pinned. */
export const CORE = { client: cores.at(-1), target: cores.at(-2) }

/** The cores this process may run on; the system lists them as in `0-1,4`. */
function allowedCores() {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]
  return list.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
}

export const pinned = (argv, core) => (core === undefined ? argv : ['taskset', '-c', String(core), ...argv])

/** Runs a command and writes what it and all its descendants cost to descriptor 3, as the shell counts it. */
const COUNTED = ['sh', '-c', '"$@"; code=$?; times >&3; exit $code', 'sh']

/**
 * Runs a command to its end on `core`. Resolves with its exit code, output, wall time (ms), CPU time (s) of all its
 * processes and, on Linux, the greatest sum of their resident memory (MB), sampled while it ran. `onSample(sample)` gets each
 * sample: seconds since the start and MB. `onStart(pid)` is called at once.
 */
export async function run(argv, { core = CORE.client, env, sampleMs = 50, onSample, onStart } = {}) {
  const [command, ...args] = pinned([...COUNTED, ...argv], core)
  const startMs = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  onStart?.(child.pid)
  let peakMb = 0
  const timer = setInterval(() => {
    const mb = familyOf(child.pid).reduce((sum, pid) => sum + residentMb(pid), 0)
    peakMb = Math.max(peakMb, mb)
    onSample?.({ seconds: (performance.now() - startMs) / 1000, mb })
  }, sampleMs)
  const texts = await Promise.all([child.stdout, child.stderr, child.stdio[3]].map(textOf))
  const code = await new Promise((resolve) => (child.exitCode === null ? child.once('close', resolve) : resolve(child.exitCode)))
  clearInterval(timer)
  const [stdout, stderr, times] = texts
  return { code, stdout, stderr, wallMs: performance.now() - startMs, cpuSeconds: childSeconds(times), ...(linux ? { peakMb } : {}) }
}

/** The same, where anything but success is an error. */
export async function mustRun(argv, options) {
  const result = await run(argv, options)
  if (result.code !== 0) throw new Error(`${argv.join(' ')} ended with code ${result.code}: ${result.stderr.trim() || result.stdout.trim()}`)
  return result
}

async function textOf(stream) {
  let text = ''
  for await (const piece of stream.setEncoding('utf8')) text += piece
  return text
}

/** User and system time of the children: the second line of the shell's `times`, such as `0m1.230s 0m0.110s`. */
function childSeconds(times) {
  const all = [...times.matchAll(/(\d+)m([\d.,]+)s/g)].map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds.replace(',', '.')))
  return all.length < 4 ? Number.NaN : all[2] + all[3]
}

/** A process and all that descend from it. */
export function familyOf(pid) {
  const all = [pid]
  for (let i = 0; linux && i < all.length; i++) {
    try {
      for (const task of readdirSync(`/proc/${all[i]}/task`))
        for (const child of readFileSync(`/proc/${all[i]}/task/${task}/children`, 'utf8').split(' ')) if (child) all.push(Number(child))
    } catch {
      // It ended meanwhile.
    }
  }
  return all
}

/** Resident memory, MB; 0 when the process is gone or the system does not tell. */
export function residentMb(pid) {
  try {
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** CPU time of a process so far, s, threads that ended included; NaN where the system does not tell. */
export function cpuSecondsOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Number.NaN
  }
}
