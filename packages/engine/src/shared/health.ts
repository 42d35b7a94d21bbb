import { monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** What a thread was up to. */
export interface Health {
  role: 'worker' | 'recorder' | 'pacer' | 'main'
  id: number
  /** Share of the time in which the event loop was busy, 0–1. */
  utilization: number
  /** Delay of the event loop beyond its sampling interval, ms. */
  loopDelayP50Ms: number
  loopDelayP99Ms: number
  loopDelayMaxMs: number
  /** Garbage collection: pauses, their sum and the longest, ms. */
  gcCount: number
  gcMs: number
  gcMaxMs: number
  heapBytes: number
}

const RESOLUTION_MS = 10

/** Watches the thread it is called in. */
export function watchHealth(role: Health['role'], id: number): { read(): Health; restart(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let start = performance.eventLoopUtilization()
  let gcCount = 0
  let gcMs = 0
  let gcMaxMs = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      gcCount++
      gcMs += entry.duration
      if (entry.duration > gcMaxMs) gcMaxMs = entry.duration
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  const beyond = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS) || 0
  return {
    read: () => ({
      role,
      id,
      utilization: performance.eventLoopUtilization(start).utilization,
      loopDelayP50Ms: beyond(delay.percentile(50)),
      loopDelayP99Ms: beyond(delay.percentile(99)),
      loopDelayMaxMs: beyond(delay.max),
      gcCount,
      gcMs,
      gcMaxMs,
      heapBytes: process.memoryUsage().heapUsed,
    }),
    restart: () => {
      delay.reset()
      start = performance.eventLoopUtilization()
      gcCount = gcMs = gcMaxMs = 0
    },
  }
}

/**
 * Where threads share a core, those that stamp go first and those that count go last. Ten apart, a thread that wakes is on the
 * core within 0.2 ms in 99 of 100 cases; with less between them it may wait for the end of a slice, some 3 ms.
 */
const NICENESS = { pacer: -20, worker: -10, telemetry: 5, recorder: 10 } as const

const nap = new Int32Array(new SharedArrayBuffer(4))

/** Gives the core to whoever waits for it, by a sleep of 60 µs: the one way that JavaScript has. */
export function giveWay(): void {
  Atomics.wait(nap, 0, 0, 0.001)
}

/**
 * Sets the scheduling priority of the calling thread (Linux, where `setpriority` with id 0 means the thread; elsewhere it
 * would mean the process). Raising it needs the right to (root, CAP_SYS_NICE). False: the thread keeps its own; only timing
 * under overload is affected, and the verdict tells lateness.
 */
export function prioritise(role: keyof typeof NICENESS): boolean {
  if (process.platform !== 'linux') return false
  try {
    setPriority(0, NICENESS[role])
    return true
  } catch {
    return false
  }
}

/** The least that a thread can ask for. */
const LEAST = 19

/**
 * Lowers the priority of the threads that the runtime has for itself, which compile hot functions and collect garbage for all
 * others: they work for milliseconds on end, just when a measurement begins (Linux). To be called before threads of ours exist.
 */
export function lowerHelpers(): void {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync('/proc/self/task')) if (Number(thread) !== process.pid) setPriority(Number(thread), LEAST)
  } catch {
    // No /proc: they stay as they are.
  }
}

/**
 * Asks the kernel to end the sleeps of the calling thread when they are over (Linux; elsewhere nothing happens). By default it may
 * add 50 µs, so that several end together.
 */
export function sleepSharply(): void {
  if (process.platform !== 'linux') return
  try {
    // A thread may change its own slack without any right; its folder among the processes bears the number of the thread.
    writeFileSync(`/proc/${readlinkSync('/proc/thread-self').split('/').at(-1)}/timerslack_ns`, '1')
  } catch {
    // An old kernel, or no /proc: sleeps stay as long as they were.
  }
}
