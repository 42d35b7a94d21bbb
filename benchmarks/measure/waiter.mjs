// A thread that waits in one way: see ../waiting.mjs.
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { quantile } from './statistics.mjs'

const { way, rate, seconds } = workerData
const word = new Int32Array(new SharedArrayBuffer(4))
/** How long before the due time a sleep ends, and the clock is read from then on. */
const AWAKE_MS = { 'Atomics.wait': 0, 'sharp Atomics.wait': 0, 'sharp sleep, awake 250 µs before': 0.25, spin: Infinity }

/** CPU time of this thread, ms; of the process where the system does not tell. */
function cpuMs() {
  try {
    return Number(readFileSync(`/proc/${readlinkSync('/proc/thread-self')}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

function* dueTimes() {
  const end = performance.now() + seconds * 1000
  for (let due = performance.now() + 5; due < end; due += -Math.log(1 - Math.random()) * (1000 / rate)) yield due
}

async function until(dueMs) {
  const leftMs = dueMs - performance.now()
  if (way === 'setTimeout') return leftMs > 0 ? new Promise((resolve) => setTimeout(resolve, leftMs)) : undefined
  if (way === 'waitAsync') {
    const { async: waits, value } = Atomics.waitAsync(word, 0, 0, Math.max(0, leftMs))
    return waits ? value : undefined
  }
  const awakeMs = AWAKE_MS[way]
  if (leftMs > awakeMs) Atomics.wait(word, 0, 0, leftMs - awakeMs)
  while (performance.now() < dueMs);
}

// The kernel may end a sleep 50 µs late, unless it is told that it must not.
if (way.startsWith('sharp'))
  try {
    writeFileSync(`/proc/${readlinkSync('/proc/thread-self').split('/').at(-1)}/timerslack_ns`, '1')
  } catch {}

// `waitAsync` does not keep an event loop alive.
const alive = setInterval(() => {}, 1000)
const late = []
const startMs = performance.now()
const startCpuMs = cpuMs()
for (const dueMs of dueTimes()) {
  await until(dueMs)
  late.push((performance.now() - dueMs) * 1000)
}
const cpu = ((cpuMs() - startCpuMs) / (performance.now() - startMs)) * 100
clearInterval(alive)
parentPort.postMessage({ p50: quantile(late, 0.5), p99: quantile(late, 0.99), cpu })
