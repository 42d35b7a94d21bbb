/** What scripts of users do with the files: they know the layout, not who wrote it. */

export interface MetricStats {
  unit: string
  [stat: string]: number | string
}
export interface Summary {
  version: string
  metrics: Record<string, MetricStats>
  errors: { type?: string; message: string; code?: number; count: number }[]
  seconds: number
  cancelled: boolean
  complete: boolean
}

const KNOWN = new Set(['telemetry_data', 'input_config', 'run_info', 'error_summary', 'warmup_metrics'])

export function readSummary(text: string): Summary {
  const d = JSON.parse(text) as Record<string, unknown>
  const metrics: Record<string, MetricStats> = {}
  for (const [key, value] of Object.entries(d)) if (!KNOWN.has(key) && typeof value === 'object' && value !== null && 'unit' in value) metrics[key] = value as MetricStats
  return {
    version: d['schema_version'] as string,
    metrics,
    errors: (d['error_summary'] as { error_details: { type?: string; message: string; code?: number }; count: number }[]).map(({ error_details, count }) => ({ ...error_details, count })),
    seconds: (Date.parse(d['end_time'] as string) - Date.parse(d['start_time'] as string)) / 1000,
    cancelled: d['was_cancelled'] as boolean,
    complete: d['is_complete'] as boolean,
  }
}

/** Blocks of the summary CSV: name to cells by column. */
export function readSummaryCsv(text: string): Record<string, Record<string, string>> {
  const rows: Record<string, Record<string, string>> = {}
  let header: string[] = []
  for (const line of text.split(/\r\n|\n/)) {
    if (line === '') continue
    const cells = line.split(',')
    if (cells[0] === 'Metric' || cells[0] === 'Endpoint') header = cells
    else if (header[0] === 'Metric') rows[cells[0]!] = Object.fromEntries(header.slice(1).map((name, i) => [name, cells[i + 1] ?? '']))
  }
  return rows
}

export interface RecordLine {
  metadata: Record<string, unknown>
  metrics: Record<string, { value: number | number[]; unit: string }>
  error?: { message: string }
}

export function readRecords(text: string): RecordLine[] {
  return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as RecordLine)
}

/** Exact value of a member that is longer than a double. */
export function nanoseconds(line: string, name: string): bigint {
  return BigInt(new RegExp(`"${name}": ?(\\d+)`).exec(line)![1]!)
}
