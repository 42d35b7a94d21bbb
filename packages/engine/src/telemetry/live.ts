import type { LiveSnapshot, TelemetryLive, TelemetryReading, TelemetrySource } from '@aiperf/core'
import type { TargetLog } from './append.js'

const LINES = 8

interface Before {
  value: number
  sum: number
  count: number
  atNs: number
}

/** Turns the latest values of a source into lines of the live view. */
export class Live {
  readonly #name: string
  readonly #source: TelemetrySource
  readonly #targets: { name: string; log: TargetLog }[]
  readonly #before = new Map<number, Before>()

  constructor(name: string, source: TelemetrySource, targets: { name: string; log: TargetLog }[]) {
    this.#name = name
    this.#source = source
    this.#targets = targets
  }

  lines(): LiveSnapshot['telemetry'] {
    const readings = this.#targets.flatMap((target) => this.#readings(target))
    if (readings.length === 0) return []
    const lines = this.#source.live?.(readings) ?? readings.slice(0, LINES).flatMap(plainLine)
    return lines.map(({ label, value }) => ({ source: this.#name, label, value }))
  }

  #readings({ name, log }: { name: string; log: TargetLog }): TelemetryReading[] {
    const readings: TelemetryReading[] = []
    for (const track of log.tracks) {
      if (track.seen !== log.samples) continue
      const { series } = track
      const before = this.#before.get(track.id)
      const seconds = before ? (log.lastNs - before.atNs) / 1e9 : 0
      if (series.type === 'counter' || series.type === 'histogram') {
        const counted = series.type === 'counter' ? track.value : track.count
        if (before && seconds > 0) {
          const grown = counted - (series.type === 'counter' ? before.value : before.count)
          if (grown >= 0) {
            const mean = series.type === 'counter' ? track.value : grown > 0 ? (track.sum - before.sum) / grown : undefined
            readings.push({ target: name, series, perSecond: grown / seconds, ...(mean === undefined ? {} : { value: mean }) })
          }
        }
      } else if (series.type !== 'info') readings.push({ target: name, series, value: track.value })
      if (!before || seconds > 0) this.#before.set(track.id, { value: track.value, sum: track.sum, count: track.count, atNs: log.lastNs })
    }
    return readings
  }
}

function plainLine({ series, value, perSecond }: TelemetryReading): TelemetryLive[] {
  const number = series.type === 'counter' ? perSecond : value
  if (number === undefined) return []
  const unit = series.type === 'counter' ? `${series.unit}/s` : series.unit
  const subject = series.subject ? `${series.subject.kind} ${series.subject.id} ` : ''
  return [{ label: `${subject}${series.header ?? series.name}`, value: `${Number(number.toPrecision(3))}${unit === '' ? '' : ` ${unit}`}` }]
}
