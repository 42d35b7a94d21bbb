import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { LiveSnapshot } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'
import type { ClockOrigin } from '../shared/clock.js'
import { unpackFailure } from '../shared/failure.js'
import { within } from '../shared/promises.js'
import type { FromTelemetry, TelemetryThreadData, ToTelemetry } from './messages.js'
import type { SelectedSource } from './select.js'

export interface TelemetrySetup {
  index: PluginIndex
  origin: ClockOrigin
  /** Folder of the journal; it exists. */
  journal: string
  sources: readonly SelectedSource[]
  /** URLs the run sends to, and the headers of its requests. */
  urls: readonly string[]
  headers: Readonly<Record<string, string>>
  /** `ca`: PEM text, or the path of a file that holds it. */
  tls?: { verify: boolean; ca?: string }
  log(level: 'debug' | 'info' | 'warn', message: string): void
  /** Lines for the live view, about once a second. */
  live?(lines: LiveSnapshot['telemetry']): void
  /** Longest wait for sources to look round before `ready`, and for samples at a border, ms. */
  limits?: { discoverMs?: number; borderMs?: number; maxSeries?: number; maxBytes?: number }
}

/** Telemetry of a run that goes on. */
export interface Telemetry {
  /**
   * Sources have looked for their targets; those that need longer than the limit join in later. Rejects with
   * `E_PLUGIN_LOAD` and the like when a source that was asked for cannot be used: the run must not start then.
   */
  readonly ready: Promise<void>
  /** A sample of every target that answers, at the border of a phase. Settles within the limit, never rejects. */
  border(at: 'start' | 'end', phase: number): Promise<void>
  /** Ends sampling and the thread. Settles within the limit, never rejects. */
  stop(): Promise<void>
}

const LIMITS = { discoverMs: 1000, borderMs: 1000, maxSeries: 100_000, maxBytes: 512 * 2 ** 20 }
/** Beyond the thread's own limits, in case it hangs. */
const SLACK_MS = 250
const HEAP_MB = 768

const NOTHING: Telemetry = { ready: Promise.resolve(), border: () => Promise.resolve(), stop: () => Promise.resolve() }

/** Starts the telemetry thread. Nothing is started when no source is selected. */
export function startTelemetry(setup: TelemetrySetup): Telemetry {
  if (setup.sources.length === 0) return NOTHING
  const limits = { ...LIMITS, ...setup.limits }
  const { index, origin, journal, sources, urls, headers, tls = { verify: true } } = setup
  const data: TelemetryThreadData = { index, origin, journal, sources: [...sources], urls, headers, tls: withPem(tls), live: setup.live !== undefined, limits }
  const worker = new Worker(new URL('./thread.js', import.meta.url), { name: 'telemetry', workerData: data, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
  const post = (message: ToTelemetry): void => worker.postMessage(message)

  let alive = true
  let settleReady: (error?: Error) => void = () => {}
  const ready = new Promise<void>((resolve, reject) => (settleReady = (error) => (error ? reject(error) : resolve())))
  ready.catch(() => {})
  const waiting = new Map<number, () => void>()
  let stopped: () => void = () => {}
  let ending = false
  const over = (reason: string | undefined): void => {
    if (reason !== undefined && alive && !ending) setup.log('warn', `Telemetry ended: ${reason}. The run goes on without it.`)
    alive = false
    settleReady()
    for (const done of waiting.values()) done()
    stopped()
  }
  worker.on('message', (message: FromTelemetry) => {
    if (message.type === 'ready') settleReady()
    else if (message.type === 'bordered') waiting.get(message.id)?.()
    else if (message.type === 'log') setup.log(message.level, message.message)
    else if (message.type === 'live') setup.live?.(message.lines)
    else if (message.type === 'stopped') stopped()
    else {
      const error = unpackFailure(message)
      settleReady(error)
      setup.log('warn', error.message)
    }
  })
  worker.on('error', (error) => over((error as Error).message))
  worker.on('exit', (code) => over(`its thread stopped with code ${code}`))

  let borders = 0
  const readyInTime = within(limits.discoverMs + 4 * SLACK_MS, ready)
  // It may fail before anybody waits for it: that is not an error that nobody hears.
  readyInTime.catch(() => {})
  return {
    ready: readyInTime,
    border(at, phase) {
      if (!alive) return Promise.resolve()
      const id = borders++
      const done = new Promise<void>((resolve) => waiting.set(id, resolve))
      post({ type: 'border', id, border: { at, phase } })
      return within(limits.borderMs + SLACK_MS, done).finally(() => waiting.delete(id))
    },
    async stop() {
      ending = true
      if (!alive) return
      const done = new Promise<void>((resolve) => (stopped = resolve))
      post({ type: 'stop' })
      await within(limits.borderMs + SLACK_MS, done)
      await worker.terminate()
    },
  }
}

function withPem(tls: { verify: boolean; ca?: string }): { verify: boolean; ca?: string } {
  if (tls.ca === undefined || tls.ca.includes('-----BEGIN')) return tls
  return { ...tls, ca: readFileSync(tls.ca, 'utf8') }
}
