import type { TelemetryLive, TelemetryReading } from '@aiperf/core'
import { serversOf, type Reading, type Role } from './servers.js'

const PARTS: readonly [Role, (value: number) => string][] = [
  ['running', (v) => `${whole(v)} running`],
  ['waiting', (v) => `${whole(v)} waiting`],
  ['kv', (v) => `KV ${whole(v)} %`],
  ['hits', (v) => `cache hits ${whole(v)} %`],
  ['prompt', (v) => `${whole(v)} prompt tok/s`],
  ['output', (v) => `${whole(v)} output tok/s`],
]
const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

/** A line per server and target: what runs, what waits, how full its cache is. Servers that are not known show nothing. */
export function liveServer(readings: readonly TelemetryReading[]): TelemetryLive[] {
  const targets = [...new Set(readings.map((reading) => reading.target))]
  return targets.flatMap((target) => {
    const own = readings.filter((reading) => reading.target === target)
    return serversOf(own.map(({ series }) => series.name)).flatMap(({ name, figures }) => {
      const parts = PARTS.flatMap(([role, text]) => {
        const values = figures.find((f) => f.role === role)?.readings.map((reading) => now(reading, own)) ?? []
        const value = values.find((v) => v !== undefined)
        return value === undefined ? [] : [text(value)]
      })
      return parts.length === 0 ? [] : [{ label: targets.length > 1 ? `${name} ${new URL(target).host}` : name, value: parts.join(' · ') }]
    })
  })
}

function now(reading: Reading, readings: readonly TelemetryReading[]): number | undefined {
  const scale = reading.scale ?? 1
  const where = reading.from === 'gauge' ? (reading.where ?? {}) : {}
  const named = (names: readonly string[]): TelemetryReading[] => {
    for (const name of names) {
      const found = readings.filter(({ series }) => series.name === name && Object.entries(where).every(([label, value]) => series.labels[label] === value))
      if (found.length > 0) return found
    }
    return []
  }
  const found = named(reading.names)
  if (found.length === 0) return undefined
  const grown = (of: readonly TelemetryReading[]): number => of.reduce((sum, { perSecond }) => sum + (perSecond ?? 0), 0)
  switch (reading.from) {
    case 'gauge': {
      const sum = found.reduce((total, { value }) => total + (value ?? 0), 0) * scale
      return reading.combine === 'sum' ? sum : sum / found.length
    }
    case 'rate':
      return found.some(({ perSecond }) => perSecond !== undefined) ? grown(found) * scale : undefined
    case 'sum-rate':
      return found.some(({ perSecond }) => perSecond !== undefined) ? found.reduce((sum, { perSecond, value }) => sum + (perSecond ?? 0) * (value ?? 0), 0) * scale : undefined
    case 'share': {
      const of = grown(reading.together ? reading.of.flatMap((name) => named([name])) : named(reading.of))
      return of > 0 ? (grown(found) / of) * scale : undefined
    }
    default:
      return undefined
  }
}
