import type { RunResult, TelemetryResult, TelemetryValue } from '@aiperf/core'
import { attribute, indexOf } from './gpus.js'

/** `gpu_telemetry_export.jsonl`: a line per sample and GPU, values in the units of the tables. */
export function* gpuLines(run: RunResult, sources: readonly TelemetryResult[]): Generator<string> {
  for (const result of sources)
    for (const { target, ns, values } of result.samples()) {
      const gpus = new Map<string, Extract<TelemetryValue, { value: number }>[]>()
      for (const value of values) {
        if (!('value' in value) || value.series.subject?.kind !== 'gpu') continue
        const { id } = value.series.subject
        const own = gpus.get(id)
        if (own) own.push(value)
        else gpus.set(id, [value])
      }
      for (const own of gpus.values()) yield gpuLine(run, result.targets[target]!.name, ns, own)
    }
}

function gpuLine(run: RunResult, url: string, ns: number, values: readonly Extract<TelemetryValue, { value: number }>[]): string {
  const subject = values[0]!.series.subject!
  const head = JSON.stringify({
    gpu_index: indexOf(subject),
    gpu_uuid: attribute(subject, 'uuid') ?? '',
    gpu_model_name: subject.name,
    pci_bus_id: attribute(subject, 'pciBusId'),
    device: attribute(subject, 'device'),
    hostname: attribute(subject, 'hostname'),
    namespace: attribute(subject, 'namespace'),
    pod_name: attribute(subject, 'pod'),
    mig_instance: attribute(subject, 'mig'),
    platform: attribute(subject, 'platform') ?? 'unknown',
  })
  const data = JSON.stringify(Object.fromEntries(values.map(({ series, value }) => [series.name, value])))
  // Unix time in ns has more digits than a double: it goes past JSON.stringify.
  return `${head.slice(0, -1)},"timestamp_ns":${run.unixNs(ns)},"telemetry_source_url":${JSON.stringify(url)},"telemetry_data":${data}}\n`
}
