import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TelemetrySample, TelemetrySeries, TelemetryValue } from '@aiperf/core'
import { fileName, type HeadLine, type Line, type SampleLine } from './format.js'

/** The latest state of a series. */
export interface Track {
  readonly id: number
  readonly series: TelemetrySeries
  value: number
  sum: number
  count: number
  /** Histograms: counts of each bucket alone. */
  own: Float64Array | undefined
  /** Number of the target's sample in which it was last seen; 0: never. */
  seen: number
}

export interface SampleLimits {
  /** Series of one target beyond which new ones are left out. */
  maxSeries: number
  /** Size of a file beyond which only samples at borders are kept, bytes. */
  maxBytes: number
}

/** What a target has shown so far, and how that is written down. */
export class TargetLog {
  readonly index: number
  readonly tracks: Track[] = []
  samples = 0
  lastNs = -Infinity
  leftOut = 0
  readonly #file: SourceFile
  readonly #limits: SampleLimits
  readonly #byObject = new WeakMap<TelemetrySeries, Track>()
  readonly #byKey = new Map<string, Track>()
  #active = 0

  constructor(index: number, file: SourceFile, limits: SampleLimits) {
    this.index = index
    this.#file = file
    this.#limits = limits
  }

  append(sample: TelemetrySample, extra: Pick<SampleLine, 'at' | 'phase' | 'every'>): void {
    const number = ++this.samples
    const set: number[] = []
    const hist: (number | null)[][] = []
    const dropped = new Set<string>()
    let seen = 0
    for (const value of sample.values) {
      const track = this.#track(value.series)
      if (!track) continue
      const isNew = track.seen === 0 || track.seen < number - 1
      if ('value' in value) {
        if (!Number.isFinite(value.value)) {
          dropped.add(track.series.name)
          continue
        }
        if (isNew || value.value !== track.value) set.push(track.id, value.value)
        track.value = value.value
      } else {
        const changed = histogramChange(track, value, isNew)
        if (changed === undefined) {
          dropped.add(track.series.name)
          continue
        }
        if (changed) hist.push(changed)
      }
      if (track.seen !== number) seen++
      track.seen = number
    }
    const gone: number[] = []
    if (seen < this.#active) for (const track of this.tracks) if (track.seen === number - 1) gone.push(track.id)
    this.#active = seen
    this.lastNs = sample.ns
    this.#file.write({
      t: this.index,
      ns: sample.ns,
      ...(sample.askedNs === undefined ? {} : { asked: sample.askedNs }),
      ...extra,
      ...(set.length > 0 ? { set } : {}),
      ...(hist.length > 0 ? { hist } : {}),
      ...(gone.length > 0 ? { gone } : {}),
      ...(dropped.size > 0 ? { dropped: [...dropped] } : {}),
    })
  }

  #track(series: TelemetrySeries): Track | undefined {
    const known = this.#byObject.get(series)
    if (known) return known
    const key = seriesKey(series)
    let track = this.#byKey.get(key)
    if (!track) {
      if (this.tracks.length >= this.#limits.maxSeries) {
        this.leftOut++
        return undefined
      }
      const own = series.bounds ? new Float64Array(series.bounds.length) : undefined
      track = { id: this.#file.nextSeries++, series, value: 0, sum: 0, count: 0, own, seen: 0 }
      this.#byKey.set(key, track)
      this.tracks.push(track)
      const { bounds, ...is } = series
      this.#file.write({ series: track.id, of: this.index, is: bounds ? { ...is, bounds: bounds.slice(0, -1) } : is })
    }
    this.#byObject.set(series, track)
    return track
  }
}

/** What changed in a histogram; `false`: nothing; undefined: the state is not a possible one. */
function histogramChange(track: Track, value: Exclude<TelemetryValue, { value: number }>, isNew: boolean): (number | null)[] | false | undefined {
  const own = track.own
  if (!own || value.buckets.length !== own.length || !Number.isFinite(value.count)) return undefined
  let previous = 0
  for (const n of value.buckets) {
    if (!(n >= previous) || n === Infinity) return undefined
    previous = n
  }
  const sum = Number.isFinite(value.sum) ? value.sum : null
  const change: (number | null)[] = [track.id, value.count, sum]
  let below = 0
  for (let i = 0; i < own.length; i++) {
    const alone = value.buckets[i]! - below
    below = value.buckets[i]!
    if (alone !== own[i] || (isNew && alone !== 0)) change.push(i, alone)
    own[i] = alone
  }
  const same = !isNew && change.length === 3 && value.count === track.count && (sum ?? 0) === track.sum
  track.count = value.count
  track.sum = sum ?? 0
  return same ? false : change
}

/** Identity of a series that a source describes anew each time. */
function seriesKey(series: TelemetrySeries): string {
  const labels = Object.keys(series.labels).sort().map((name) => [name, series.labels[name]])
  return JSON.stringify([series.name, labels, series.subject?.kind, series.subject?.id, series.type, series.bounds])
}

/** The append-only file of one source. */
export class SourceFile {
  nextSeries = 0
  readonly #file: number
  readonly #limits: SampleLimits
  readonly #problem: (message: string) => void
  #bytes = 0
  #state: 'open' | 'full' | 'broken' | 'closed' = 'open'

  /** `problem` is told once when writing fails, and once when the file has reached its limit. */
  constructor(journal: string, head: HeadLine, limits: SampleLimits, problem: (message: string) => void) {
    this.#file = openSync(join(journal, fileName(head.source)), 'w')
    this.#limits = limits
    this.#problem = problem
    this.write(head)
  }

  write(line: Line): void {
    if (this.#state === 'broken' || this.#state === 'closed') return
    if (this.#bytes > this.#limits.maxBytes && this.#state === 'open') {
      this.#state = 'full'
      this.#problem(`more than ${Math.round(this.#limits.maxBytes / 2 ** 20)} MiB of samples: from now on only those at the borders of phases are kept`)
    }
    try {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
      for (let from = 0; from < bytes.length; ) from += writeSync(this.#file, bytes, from)
      this.#bytes += bytes.length
    } catch (error) {
      this.#state = 'broken'
      this.#problem(`samples can no longer be written: ${(error as Error).message}`)
    }
  }

  get full(): boolean {
    return this.#state === 'full'
  }

  close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    closeSync(this.#file)
  }
}
