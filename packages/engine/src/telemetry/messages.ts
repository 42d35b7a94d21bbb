import type { JsonObject, LiveSnapshot } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'
import type { FromFailed } from '../control/messages.js'
import type { ClockOrigin } from '../shared/clock.js'
import type { SampleLimits } from './append.js'
import type { Border } from './runner.js'

export interface TelemetryThreadData {
  index: PluginIndex
  origin: ClockOrigin
  journal: string
  sources: { name: string; options: JsonObject; asked: boolean }[]
  urls: readonly string[]
  headers: Readonly<Record<string, string>>
  tls: { verify: boolean; ca?: string }
  live: boolean
  limits: SampleLimits & { discoverMs: number; borderMs: number }
}

export type ToTelemetry = { type: 'border'; id: number; border: Border } | { type: 'stop' }

export type FromTelemetry =
  | { type: 'ready' }
  | { type: 'bordered'; id: number }
  | { type: 'log'; level: 'debug' | 'info' | 'warn'; message: string }
  | { type: 'live'; lines: LiveSnapshot['telemetry'] }
  | { type: 'stopped' }
  | FromFailed
