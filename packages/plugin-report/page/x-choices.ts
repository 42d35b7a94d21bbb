import type { PageLine, RunPageData } from '../src/report/page-data.js'

/** What can be put on the horizontal axis against a metric. */
export interface XChoice {
  id: string
  title: string
  /** Within a sentence. */
  short: string
  /** Of a request, by its index in the points. */
  at(k: number): number | null
}

/** Load, lag, lengths, time, and what the server and its GPUs showed when a request started. */
export function xChoices({ requests: { points, metrics }, telemetry }: RunPageData): XChoice[] {
  const metric = (tag: string): XChoice[] => metrics.filter((m) => m.tag === tag).map(({ title }) => ({ id: tag, title, short: title.replace(/ \([^)]*\)$/, '').toLowerCase(), at: (k) => points.values[tag]![k]! }))
  return [
    { id: 'in_flight', title: 'Requests in flight at its start', short: 'requests in flight', at: (k) => points.inFlight[k]! },
    ...metric('input_sequence_length'),
    ...metric('output_sequence_length'),
    ...metric('schedule_lag'),
    { id: 'time', title: 'Start (s)', short: 'time', at: (k) => points.start[k]! },
    ...telemetry.map((line, i): XChoice => ({
      id: `telemetry ${i}`,
      title: `${line.header}${line.label === '' ? '' : `, ${line.label}`}, at its start${line.unit === '' ? '' : ` (${line.unit})`}`,
      short: line.header,
      at: (k) => valueAt(line, points.start[k]!),
    })),
  ]
}

/** The value of a series at a time, on the straight line between its samples. */
function valueAt({ t, v }: PageLine, at: number): number | null {
  let low = 0
  let high = t.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (t[middle]! <= at) low = middle + 1
    else high = middle
  }
  if (low === 0 || low === t.length) return low === t.length && at === t.at(-1) ? v.at(-1)! : null
  const [t0, t1] = [t[low - 1]!, t[low]!]
  return v[low - 1]! + ((v[low]! - v[low - 1]!) * (at - t0)) / (t1 - t0 || 1)
}
