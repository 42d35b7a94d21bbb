import { GB_PER_MIB, NVIDIA, type GpuMetric } from '../gpu/metrics.js'

/** A quantity, and the fields of `nvidia-smi --query-gpu` that hold it, best first; drivers differ in what they offer. */
export interface SmiQuantity {
  metric: GpuMetric
  fields: readonly string[]
  scale: number
}

export const IDENTITY_FIELDS = ['index', 'uuid', 'name', 'pci.bus_id', 'mig.mode.current'] as const

export const QUANTITIES: readonly SmiQuantity[] = [
  { metric: NVIDIA.power, fields: ['power.draw.instant', 'power.draw'], scale: 1 },
  { metric: NVIDIA.utilization, fields: ['utilization.gpu'], scale: 1 },
  { metric: NVIDIA.memoryUtilization, fields: ['utilization.memory'], scale: 1 },
  { metric: NVIDIA.memoryUsed, fields: ['memory.used'], scale: GB_PER_MIB },
  { metric: NVIDIA.temperature, fields: ['temperature.gpu'], scale: 1 },
  { metric: NVIDIA.decoder, fields: ['utilization.decoder'], scale: 1 },
  { metric: NVIDIA.encoder, fields: ['utilization.encoder'], scale: 1 },
  { metric: NVIDIA.jpeg, fields: ['utilization.jpeg'], scale: 1 },
  { metric: NVIDIA.powerViolation, fields: ['clocks_event_reasons_counters.sw_power_cap', 'clocks_throttle_reasons_counters.sw_power_cap'], scale: 1 },
]

/** Field names in the text of `nvidia-smi --help-query-gpu`: they stand in double quotes, alternatives joined by "or". */
export const offeredFields = (help: string): Set<string> => new Set([...help.matchAll(/"([a-z][a-z0-9_.]*)"/g)].map((m) => m[1]!))

/** The field a driver refused: `Field "x" is not a valid field to query.` */
export const refusedField = (output: string): string | undefined => /Field "([^"]+)" is not a valid field/i.exec(output)?.[1]

/** For each quantity the best field that is offered. */
export function chooseFields(offered: (field: string) => boolean): Map<string, SmiQuantity> {
  const chosen = new Map<string, SmiQuantity>()
  for (const quantity of QUANTITIES) {
    const field = quantity.fields.find(offered)
    if (field !== undefined) chosen.set(field, quantity)
  }
  return chosen
}

/** The cells of a line of `--format=csv,noheader,nounits`. */
export const cells = (line: string): string[] => line.split(',').map((cell) => cell.trim())

/** A number; `[N/A]`, `[Not Supported]`, `[Unknown Error]` and the like are none. A unit that was not asked for is passed over. */
export function cellNumber(cell: string | undefined): number | undefined {
  const match = /^(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:\s*[A-Za-z%°]+)?$/.exec(cell ?? '')
  return match ? Number(match[1]) : undefined
}
