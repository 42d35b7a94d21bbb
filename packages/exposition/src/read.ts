import { familyOf, familyType, type Family, type Part } from './families.js'
import { readSampleLine, readValue, unescapeHelp } from './line.js'
export type { Family, FamilyType } from './families.js'

/** One label set of a family: what a reader is asked about once, when it first appears. */
export interface Metric {
  readonly family: Family
  /** Name of the samples as the server writes it, `_total` included; the family's name for histograms. */
  readonly name: string
  /** Labels without `le`. */
  readonly labels: Readonly<Record<string, string>>
  /** Histograms: upper bounds, ascending, the last one Infinity. */
  readonly bounds?: readonly number[]
}

export type ExpositionValue<T> =
  | { readonly series: T; readonly value: number }
  /** Cumulative counts, one per bound. */
  | { readonly series: T; readonly buckets: Float64Array; readonly sum: number; readonly count: number }

export interface Exposition<T> {
  values: ExpositionValue<T>[]
  /** Sample lines read. */
  lines: number
  /** Lines that are neither sample nor comment, and what is wrong with the first of them. */
  malformed: number
  firstProblem?: string
  /** The text has no proper end: its last line was not used, nor a histogram that is not whole. */
  truncated: boolean
  /** Metrics beyond the limit. */
  leftOut: number
}

interface Group<T> {
  readonly family: Family
  readonly name: string
  readonly labels: Record<string, string>
  series: T | undefined
  asked: boolean
  /** Number of the reading in which it was last seen. */
  seen: number
  value: number
  sum: number
  count: number
  hasCount: boolean
  /** Histograms: slots by ascending bound. */
  buckets: Slot<T>[]
  bounds: number[]
}

/** What a line, up to its value, means: remembered, so that the next reading need not take the line apart. */
interface Slot<T> {
  /** The line up to its value, or a whole comment line. */
  readonly prefix: string
  readonly part: Part | 'comment' | 'ignored'
  readonly group: Group<T> | undefined
  readonly bound: number
  value: number
  seen: number
  next: Slot<T> | undefined
}

/**
 * Reads the text a server exposes, time after time. Servers list their metrics in the same order each time, so a line is
 * first compared with the one that followed last time, then looked up, and only taken apart when it is new.
 *
 * Text format 0.0.4 and OpenMetrics 1.0 (https://prometheus.io/docs/instrumenting/exposition_formats/), time stamps
 * and exemplars skipped, quoted names (UTF-8) understood. `T` stands for what the caller makes of a metric;
 * `undefined` leaves it out.
 */
export class ExpositionReader<T> {
  readonly #map: (metric: Metric) => T | undefined
  readonly #maxSeries: number
  #families = new Map<string, Family>()
  #slots = new Map<string, Slot<T>>()
  #groups = new Map<string, Group<T>>()
  /** Families that samples were read under. */
  #used = new Set<Family>()
  #first: Slot<T> | undefined
  #reading = 0

  constructor(map: (metric: Metric) => T | undefined, { maxSeries = 100_000 }: { maxSeries?: number } = {}) {
    this.#map = map
    this.#maxSeries = maxSeries
  }

  /**
   * `openMetrics`: the text must end with `# EOF`. `complete`: the transfer vouches for the end of the text, so that a last
   * line without a line feed is whole.
   */
  read(text: string, { openMetrics = false, complete = false }: { openMetrics?: boolean; complete?: boolean } = {}): Exposition<T> {
    if (complete && !text.endsWith('\n')) text += '\n'
    this.#reading++
    const result: Exposition<T> = { values: [], lines: 0, malformed: 0, truncated: false, leftOut: 0 }
    const touched: Group<T>[] = []
    let ended = false
    let previous: Slot<T> | undefined
    let at = 0
    if (text.charCodeAt(0) === 0xfeff) at = 1
    while (at < text.length) {
      let end = -1
      let slot = previous ? previous.next : this.#first
      if (!slot || !text.startsWith(slot.prefix, at)) {
        end = text.indexOf('\n', at)
        if (end < 0) {
          if (text.slice(at).trim() === '# EOF') ended = true
          else if (text.slice(at).trim() !== '') result.truncated = true
          break
        }
        const line = text.slice(at, end)
        if (isBlankLine(line)) {
          at = end + 1
          continue
        }
        if (/^# EOF\s*$/.test(line)) {
          ended = true
          break
        }
        const found = this.#find(line, result)
        if (!found) {
          at = end + 1
          continue
        }
        slot = found
        if (previous) previous.next = slot
        else this.#first = slot
      }
      previous = slot
      const valueAt = at + slot.prefix.length
      if (slot.part === 'comment') {
        at = valueAt
        continue
      }
      if (end < 0) end = text.indexOf('\n', valueAt)
      if (end < 0) {
        result.truncated = true
        break
      }
      at = end + 1
      const value = readValue(text, valueAt, end)
      if (value === undefined) {
        result.malformed++
        result.firstProblem ??= `${text.slice(valueAt, Math.min(end, valueAt + 40))} is not a number`
        continue
      }
      result.lines++
      const group = slot.group
      if (!group) continue
      if (group.seen !== this.#reading) {
        group.seen = this.#reading
        group.hasCount = false
        group.sum = Number.NaN
        touched.push(group)
      }
      slot.seen = this.#reading
      slot.value = value
      if (slot.part === 'value') group.value = value
      else if (slot.part === 'sum') group.sum = value
      else if (slot.part === 'count') {
        group.count = value
        group.hasCount = true
      }
    }
    if (openMetrics && !ended) result.truncated = true
    for (const group of touched) this.#emit(group, result)
    return result
  }

  #find(line: string, result: Exposition<T>): Slot<T> | undefined {
    const start = line.search(/\S/)
    if (line[start] === '#') return this.#comment(line)
    // A copy: slices of the line would keep the whole text of this reading in memory.
    const parsed = readSampleLine(Buffer.from(line).toString())
    if (typeof parsed === 'string') {
      result.malformed++
      result.firstProblem ??= `${parsed}: ${line.slice(0, 80)}`
      return undefined
    }
    const known = this.#slots.get(line.slice(0, parsed.valueAt))
    if (known) return known
    if (this.#slots.size >= this.#maxSeries) {
      result.leftOut++
      return undefined
    }
    return this.#add(Buffer.from(line.slice(0, parsed.valueAt)).toString(), parsed)
  }

  #add(prefix: string, { name, labels }: { name: string; labels: Record<string, string> }): Slot<T> {
    const { family, part } = familyOf(this.#families, name, labels)
    this.#used.add(family)
    const isHistogram = family.type === 'histogram' || family.type === 'gaugehistogram'
    let bound = Number.NaN
    if (part === 'bucket') {
      bound = readValue(labels['le'] ?? '', 0, (labels['le'] ?? '').length) ?? Number.NaN
      delete labels['le']
    }
    const ignored = part === 'created' || part === 'quantile' || family.type === 'summary' || (part === 'bucket' && Number.isNaN(bound)) || (isHistogram && part === 'value')
    const group = ignored ? undefined : this.#group(family, isHistogram ? family.name : name, labels, part)
    const slot: Slot<T> = { prefix, part: ignored ? 'ignored' : part, group, bound, value: 0, seen: 0, next: undefined }
    this.#slots.set(prefix, slot)
    if (part === 'bucket' && group) {
      group.buckets.push(slot)
      group.buckets.sort((a, b) => a.bound - b.bound)
      group.asked = false
    }
    return slot
  }

  #group(family: Family, name: string, labels: Record<string, string>, part: Part): Group<T> {
    const fresh: Group<T> = { family, name, labels, series: undefined, asked: false, seen: 0, value: 0, sum: 0, count: 0, hasCount: false, buckets: [], bounds: [] }
    if (part === 'value') return fresh
    const key = `${name}\n${Object.keys(labels).sort().map((k) => `${k}\t${labels[k]}`).join('\n')}`
    const known = this.#groups.get(key)
    if (!known) this.#groups.set(key, fresh)
    return known ?? fresh
  }

  #comment(line: string): Slot<T> {
    const prefix = `${Buffer.from(line).toString()}\n`
    const known = this.#slots.get(prefix)
    if (known) return known
    const [, word, name, rest = ''] = /^\s*#\s+(\S+)\s+("(?:[^"\\]|\\.)*"|\S+)[ \t]*(.*)$/.exec(line.trimEnd()) ?? []
    if (name !== undefined && (word === 'TYPE' || word === 'HELP' || word === 'UNIT')) {
      const plain = name.startsWith('"') ? unescapeHelp(name.slice(1, -1)) : name
      let family = this.#families.get(plain)
      if (!family) this.#families.set(plain, (family = { name: plain, type: 'unknown', help: '', unit: '' }))
      if (word === 'HELP') family.help = unescapeHelp(rest)
      else if (word === 'UNIT') family.unit = rest
      else if (family.type !== familyType(rest)) {
        family.type = familyType(rest)
        // Another program answers under the same address: what was remembered means something else now.
        if (this.#used.has(family)) this.#forget()
      }
    }
    const slot: Slot<T> = { prefix, part: 'comment', group: undefined, bound: 0, value: 0, seen: 0, next: undefined }
    if (this.#slots.size < this.#maxSeries) this.#slots.set(prefix, slot)
    return slot
  }

  #forget(): void {
    this.#slots.clear()
    this.#groups.clear()
    this.#used.clear()
    this.#first = undefined
  }

  #emit(group: Group<T>, result: Exposition<T>): void {
    const isHistogram = group.family.type === 'histogram' || group.family.type === 'gaugehistogram'
    if (!isHistogram) {
      if (!group.asked) {
        group.asked = true
        group.series = this.#map({ family: group.family, name: group.name, labels: group.labels })
      }
      if (group.series !== undefined) result.values.push({ series: group.series, value: group.value })
      return
    }
    const whole = group.buckets.every((slot) => slot.seen === this.#reading)
    const last = group.buckets.at(-1)
    const count = group.hasCount ? group.count : last?.bound === Infinity ? last.value : Number.NaN
    // A part of a histogram is worse than none: its quantiles would be wrong.
    if (!whole || Number.isNaN(count)) {
      if (!whole && !result.truncated && group.hasCount) this.#dropLostBuckets(group)
      return
    }
    if (!group.asked) {
      group.asked = true
      group.bounds = group.buckets.map((slot) => slot.bound)
      if (group.bounds.at(-1) !== Infinity) group.bounds.push(Infinity)
      group.series = this.#map({ family: group.family, name: group.name, labels: group.labels, bounds: group.bounds })
    }
    if (group.series === undefined) return
    const buckets = new Float64Array(group.bounds.length)
    group.buckets.forEach((slot, i) => (buckets[i] = slot.value))
    if (group.buckets.length < buckets.length) buckets[buckets.length - 1] = count
    result.values.push({ series: group.series, buckets, sum: group.sum, count })
  }

  /** The server lists other buckets now, as after a restart with another configuration. */
  #dropLostBuckets(group: Group<T>): void {
    for (const slot of group.buckets) if (slot.seen !== this.#reading) this.#slots.delete(slot.prefix)
    group.buckets = group.buckets.filter((slot) => slot.seen === this.#reading)
    group.asked = false
  }
}

function isBlankLine(line: string): boolean {
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code !== 32 && code !== 9 && code !== 13) return false
  }
  return true
}
