import { GB_PER_MIB, NVIDIA, type GpuMetric } from '../gpu/metrics.js'

/** What a field of DCGM is called here, and the factor to its unit. */
export interface DcgmField {
  metric: GpuMetric
  scale: number
}

/** https://docs.nvidia.com/datacenter/dcgm/latest/dcgm-api/dcgm-api-field-ids.html */
export const DCGM_FIELDS: ReadonlyMap<string, DcgmField> = new Map([
  ['DCGM_FI_DEV_POWER_USAGE', { metric: NVIDIA.power, scale: 1 }],
  ['DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION', { metric: NVIDIA.energy, scale: 1e-9 }],
  ['DCGM_FI_DEV_GPU_UTIL', { metric: NVIDIA.utilization, scale: 1 }],
  ['DCGM_FI_DEV_MEM_COPY_UTIL', { metric: NVIDIA.memoryUtilization, scale: 1 }],
  ['DCGM_FI_DEV_FB_USED', { metric: NVIDIA.memoryUsed, scale: GB_PER_MIB }],
  ['DCGM_FI_DEV_GPU_TEMP', { metric: NVIDIA.temperature, scale: 1 }],
  ['DCGM_FI_PROF_SM_ACTIVE', { metric: NVIDIA.sm, scale: 100 }],
  ['DCGM_FI_DEV_DEC_UTIL', { metric: NVIDIA.decoder, scale: 1 }],
  ['DCGM_FI_DEV_ENC_UTIL', { metric: NVIDIA.encoder, scale: 1 }],
  ['DCGM_FI_DEV_XID_ERRORS', { metric: NVIDIA.xid, scale: 1 }],
  ['DCGM_FI_DEV_POWER_VIOLATION', { metric: NVIDIA.powerViolation, scale: 1e-3 }],
])

/** DCGM marks a field that has no value by the last 16 numbers of its type: 32 and 64 bit integers, and a double of its own. */
const BLANK_INT32 = 2 ** 31 - 16
const BLANK_DOUBLE = 2 ** 47
const BLANK_INT64 = 2 ** 63 - 1024
export const isBlank = (value: number): boolean =>
  (value >= BLANK_INT32 && value < 2 ** 31) || (value >= BLANK_DOUBLE && value <= BLANK_DOUBLE + 4) || value >= BLANK_INT64

/**
 * A file of further fields, in the exporter's own form: `DCGM_FI_DEV_SM_CLOCK, gauge, SM clock frequency (in MHz)`; lines
 * that begin with # and blank ones are passed over. `problem` is told of lines that are something else.
 */
export function readFieldFile(text: string, problem: (line: number, reason: string) => void): Map<string, DcgmField> {
  const fields = new Map<string, DcgmField>()
  text.replace(/^\uFEFF/, '').split(/\r?\n/).forEach((raw, i) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) return
    const [name = '', type = '', ...rest] = line.split(',').map((part) => part.trim())
    if (!/^DCGM_FI_[A-Z0-9_]+$/.test(name)) return problem(i + 1, `${name} is no DCGM field (DCGM_FI_…)`)
    if (type !== 'gauge' && type !== 'counter') {
      // Labels are part of the exporter's file form: they say nothing here.
      if (type !== 'label') problem(i + 1, `${name} must be gauge or counter, got ${JSON.stringify(type)}`)
      return
    }
    if (DCGM_FIELDS.has(name)) return
    const help = rest.join(', ')
    const word = name.replace(/^DCGM_FI_(DEV_|PROF_|PROCESS_)?/, '').toLowerCase()
    const unit = /\(in ([^)]+)\)/.exec(help)?.[1] ?? ''
    fields.set(name, { metric: { key: `nvidia_${word}`, header: titled(word), unit, type, description: help }, scale: 1 })
  })
  return fields
}

const titled = (word: string): string => word.split('_').map((part) => (part.length <= 3 ? part.toUpperCase() : part[0]!.toUpperCase() + part.slice(1))).join(' ')
