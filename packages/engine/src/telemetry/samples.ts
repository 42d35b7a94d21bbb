import type { StoredSample, TelemetrySeries, TelemetryValue } from '@aiperf/core'
import { readLines } from './store.js'

interface Shown {
  series: TelemetrySeries
  target: number
  on: boolean
  value: number
  sum: number
  own: Float64Array | undefined
}

/** Every sample of a telemetry file with all values its target showed, in the order of the file. */
export function* readSamples(path: string): Generator<StoredSample> {
  const shown: Shown[] = []
  const ofTarget: Shown[][] = []
  const seen = new Set<number>()
  for (const line of readLines(path)) {
    if ('series' in line) {
      const { bounds, ...is } = line.is
      const entry: Shown = {
        series: bounds ? { ...is, bounds: [...bounds, Infinity] } : is,
        target: line.of,
        on: false,
        value: 0,
        sum: 0,
        own: bounds ? new Float64Array(bounds.length + 1) : undefined,
      }
      shown[line.series] = entry
      ;(ofTarget[line.of] ??= []).push(entry)
    }
    if (!('t' in line)) continue
    const set = line.set ?? []
    for (let i = 0; i < set.length; i += 2) {
      const entry = shown[set[i]!]
      if (!entry) continue
      entry.on = true
      entry.value = set[i + 1]!
    }
    for (const [id, count, sum, ...buckets] of line.hist ?? []) {
      const entry = shown[id!]
      if (!entry?.own) continue
      entry.on = true
      entry.value = count!
      entry.sum = sum ?? Number.NaN
      for (let i = 0; i < buckets.length; i += 2) entry.own[buckets[i]!] = buckets[i + 1]!
    }
    for (const id of line.gone ?? []) if (shown[id]) shown[id].on = false
    const isFirst = !seen.has(line.t)
    seen.add(line.t)
    yield {
      target: line.t,
      ns: line.ns,
      ...(line.asked === undefined ? {} : { askedNs: line.asked }),
      ...(line.at === undefined ? {} : { border: { at: line.at, phase: line.phase! } }),
      changed: isFirst || Boolean(line.set ?? line.hist ?? line.gone),
      values: (ofTarget[line.t] ?? []).filter((entry) => entry.on).map(valueOf),
    }
  }
}

function valueOf({ series, value, sum, own }: Shown): TelemetryValue {
  if (!own) return { series, value }
  let below = 0
  return { series, count: value, sum, buckets: own.map((n) => (below += n)) }
}
