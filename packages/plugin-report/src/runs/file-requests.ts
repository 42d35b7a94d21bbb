import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { RequestTable } from '@aiperf/core'
import { Column, listPart, reduceList, requestTable } from './request-columns.js'

interface Line {
  metadata?: { request_start_ns?: number; request_end_ns?: number; benchmark_phase?: string; x_correlation_id?: string; conversation_id?: string; x_request_id?: string; turn_index?: number; was_cancelled?: boolean }
  metrics?: Record<string, { value?: unknown } | undefined>
  error?: { type?: string } | null
}

/** The profiling requests of a `profile_export.jsonl`. Lines that are no JSON are passed over and counted. */
export async function readRequests(path: string, tags: readonly string[]): Promise<{ table: RequestTable; originNs: number | undefined; badLines: number }> {
  const [startNs, endNs, succeeded, error, session, turn] = Array.from({ length: 6 }, () => new Column()) as [Column, Column, Column, Column, Column, Column]
  const readers = tags.map((tag) => ({ tag, list: listPart(tag), column: new Column() }))
  const errors = ['']
  const errorNumbers = new Map<string, number>([['', 0]])
  const sessions = new Map<string, number>()
  const ids: string[] = []
  // Unix ns need more digits than a double has: times are kept relative to the first line's.
  let baseNs: bigint | undefined
  let badLines = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const read = parse(line)
    const start = bigNs(line, 'request_start_ns')
    if (!read?.metadata || start === undefined) {
      badLines++
      continue
    }
    const { metadata, metrics = {} } = read
    if ((metadata.benchmark_phase ?? 'profiling') !== 'profiling') continue
    baseNs ??= start
    startNs.push(Number(start - baseNs))
    endNs.push(Number((bigNs(line, 'request_end_ns') ?? start) - baseNs))
    const kind = read.error ? (read.error.type ?? 'error') : metadata.was_cancelled ? 'cancelled' : ''
    succeeded.push(kind === '' ? 1 : 0)
    error.push(numbered(errorNumbers, kind, errors))
    session.push(numbered(sessions, metadata.x_correlation_id ?? metadata.conversation_id ?? String(sessions.size)))
    turn.push(metadata.turn_index ?? 0)
    ids.push(metadata.x_request_id ?? '')
    for (const { tag, list, column } of readers) {
      const own = metrics[tag]?.value
      const from = own === undefined && list ? metrics[list.tag]?.value : own
      column.push(typeof from === 'number' ? from : Array.isArray(from) && list ? reduceList(from as number[], list.part) : Number.NaN)
    }
  }
  const table = requestTable({
    id: (row) => ids[row] ?? '',
    startNs: startNs.done(), endNs: endNs.done(), succeeded: succeeded.done(), error: error.done(), errors, session: session.done(), turn: turn.done(),
    values: new Map(readers.map(({ tag, column }) => [tag, column.done()] as const)),
  })
  const first = startNs.done().reduce((least, ns) => Math.min(least, ns), Infinity)
  return { table, originNs: baseNs === undefined ? undefined : Number(baseNs) + first, badLines }
}

function parse(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}

/** A time in all its digits. */
function bigNs(line: string, key: string): bigint | undefined {
  const at = line.indexOf(`"${key}":`)
  const digits = at < 0 ? undefined : /^\s*(\d+)/.exec(line.slice(at + key.length + 3, at + key.length + 28))?.[1]
  return digits === undefined ? undefined : BigInt(digits)
}

function numbered(numbers: Map<string, number>, key: string, names?: string[]): number {
  let number = numbers.get(key)
  if (number === undefined) {
    numbers.set(key, (number = numbers.size))
    names?.push(key)
  }
  return number
}
