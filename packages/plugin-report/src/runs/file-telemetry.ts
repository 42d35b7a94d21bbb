import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { JsonObject, TelemetryLine } from '@aiperf/core'
import { list, number, object, text } from './facts.js'
import type { RunFiles } from './file-run.js'
import { Column } from './request-columns.js'

interface Growing {
  line: Omit<TelemetryLine, 'seconds' | 'values'>
  ns: Column
  values: Column
}

/** What the telemetry files of a run hold, per series. Without requests time starts with the first sample. */
export async function readTelemetry(files: RunFiles, originNs: () => Promise<number | undefined>): Promise<TelemetryLine[]> {
  const series = new Map<string, Growing>()
  const add = (key: string, line: () => Growing['line'], ns: number, value: number): void => {
    let growing = series.get(key)
    if (!growing) series.set(key, (growing = { line: line(), ns: new Column(), values: new Column() }))
    growing.ns.push(ns)
    growing.values.push(value)
  }
  if (files.gpu !== undefined) for await (const row of jsonLines(join(files.directory, files.gpu))) addGpu(row, add)
  if (files.server !== undefined) for await (const row of jsonLines(join(files.directory, files.server))) addServer(row, add)
  if (series.size === 0) return []
  const origin = (await originNs()) ?? Math.min(...[...series.values()].map((s) => s.ns.done()[0]!))
  return [...series.values()].filter((s) => s.ns.length > 1).map(({ line, ns, values }) => ({ ...line, seconds: ns.done().map((t) => (t - origin) / 1e9), values: values.done() }))
}

type Add = (key: string, line: () => Growing['line'], ns: number, value: number) => void

const GPU_UNITS: readonly (readonly [RegExp, string])[] = [[/utilization|activity/, '%'], [/power_usage|_power$/, 'W'], [/energy/, 'MJ'], [/memory_used/, 'GB'], [/temperature/, '°C'], [/violation/, 'µs']]

function addGpu(row: JsonObject, add: Add): void {
  const ns = number(row['timestamp_ns'])
  if (ns === undefined) return
  const target = text(row['telemetry_source_url']) ?? ''
  const index = String(row['gpu_index'] ?? 0)
  for (const [name, value] of Object.entries(object(row['telemetry_data'])))
    if (typeof value === 'number')
      add(`${target} ${index} ${name}`, () => ({
        source: 'gpu', target, name, subject: `GPU ${index}`,
        header: name.replace(/^(nvidia|amd)_/, '').replaceAll('_', ' ').replace(/^\w/, (c) => c.toUpperCase()).replace(/^Gpu\b/, 'GPU'),
        unit: GPU_UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? '',
      }), ns, value)
}

function addServer(row: JsonObject, add: Add): void {
  const ns = number(row['timestamp_ns'])
  if (ns === undefined) return
  const target = text(row['endpoint_url']) ?? ''
  for (const [name, samples] of Object.entries(object(row['metrics'])))
    for (const sample of list(samples)) {
      const value = number(sample['value'])
      if (value === undefined) continue
      const labels = Object.entries(object(sample['labels'])).map(([key, label]) => `${key}=${String(label)}`).join(', ')
      add(`${target} ${name} ${labels}`, () => ({ source: 'server_metrics', target, name, header: labels === '' ? name : `${name} {${labels}}`, unit: '' }), ns, value)
    }
}

async function* jsonLines(path: string): AsyncGenerator<JsonObject> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    try {
      yield object(JSON.parse(line))
    } catch {
      // The last line of a run that was killed may be cut.
    }
  }
}
