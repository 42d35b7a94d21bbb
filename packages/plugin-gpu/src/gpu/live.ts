import type { TelemetryLive, TelemetryReading } from '@aiperf/core'

const PARTS: readonly [keys: readonly string[], unit: string, digits: number][] = [
  [['nvidia_gpu_utilization', 'amd_gfx_activity'], ' %', 0],
  [['nvidia_power_usage', 'amd_power'], ' W', 0],
  [['nvidia_memory_used', 'amd_memory_used'], ' GB', 1],
  [['nvidia_temperature', 'amd_temperature'], ' °C', 0],
]

/** One line per GPU: use, power, memory, temperature. */
export function liveGpus(readings: readonly TelemetryReading[]): TelemetryLive[] {
  const gpus = new Map<string, Map<string, number>>()
  const many = new Set(readings.map((reading) => reading.target)).size > 1
  for (const { target, series, value } of readings) {
    if (!series.subject || value === undefined) continue
    const label = `GPU ${series.subject.id}${many ? ` ${target}` : ''}`
    let values = gpus.get(label)
    if (!values) gpus.set(label, (values = new Map()))
    values.set(series.name, value)
  }
  return [...gpus].map(([label, values]) => ({
    label,
    value: PARTS.flatMap(([keys, unit, digits]) => {
      const value = keys.map((key) => values.get(key)).find((v) => v !== undefined)
      return value === undefined ? [] : [`${value.toFixed(digits)}${unit}`]
    }).join(' · '),
  }))
}
