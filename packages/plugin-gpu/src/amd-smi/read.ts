import { AMD, GB_PER_MIB, type GpuMetric } from '../gpu/metrics.js'
import type { GpuIdentity } from '../gpu/series.js'

type Node = { readonly [key: string]: unknown }
const isNode = (x: unknown): x is Node => typeof x === 'object' && x !== null && !Array.isArray(x)

/** The GPUs of an answer: a list, or a list under `gpu_data`. Text before the JSON (warnings) is passed over. */
export function gpuEntries(output: string): Node[] | undefined {
  const start = output.search(/[[{]/)
  if (start < 0) return undefined
  try {
    const answer: unknown = JSON.parse(output.slice(start))
    const list = Array.isArray(answer) ? answer : isNode(answer) ? (answer['gpu_data'] ?? answer['gpus'] ?? [answer]) : undefined
    return Array.isArray(list) ? list.filter((entry): entry is Node => isNode(entry) && 'gpu' in entry) : undefined
  } catch {
    return undefined
  }
}

/** A number, bare, as text, or as `{ value, unit }`; `N/A` is none. */
export function amount(x: unknown): { value: number; unit: string } | undefined {
  if (isNode(x)) {
    const inner = amount(x['value'])
    return inner && { value: inner.value, unit: typeof x['unit'] === 'string' ? x['unit'] : inner.unit }
  }
  if (typeof x === 'number') return Number.isFinite(x) ? { value: x, unit: '' } : undefined
  const match = typeof x === 'string' ? /^\s*(-?\d+(?:\.\d+)?)\s*([A-Za-z%°]*)\s*$/.exec(x) : null
  return match ? { value: Number(match[1]), unit: match[2]! } : undefined
}

const at = (node: Node, section: string, ...names: string[]): unknown => {
  const part = node[section]
  if (!isNode(part)) return undefined
  return names.map((name) => part[name]).find((x) => amount(x) !== undefined || (typeof x === 'string' && x !== 'N/A'))
}

const JOULES: Readonly<Record<string, number>> = { '': 1, J: 1, mJ: 1e-3, uJ: 1e-6, kJ: 1e3, MJ: 1e6 }
const GB: Readonly<Record<string, number>> = { '': GB_PER_MIB, MB: GB_PER_MIB, MiB: GB_PER_MIB, GB: 1.073741824, GiB: 1.073741824, KB: 1.024e-6, B: 1e-9 }
const WATTS: Readonly<Record<string, number>> = { '': 1, W: 1, mW: 1e-3, uW: 1e-6 }

/** The values of a GPU in an answer to `amd-smi metric --json`. */
export function readGpu(gpu: Node): [GpuMetric, number][] {
  const values: [GpuMetric, number][] = []
  const add = (metric: GpuMetric, x: unknown, scales?: Readonly<Record<string, number>>): void => {
    const found = amount(x)
    if (!found) return
    const scale = scales ? scales[found.unit] : 1
    if (scale !== undefined) values.push([metric, found.value * scale])
  }
  add(AMD.power, at(gpu, 'power', 'socket_power', 'current_socket_power', 'average_socket_power'), WATTS)
  add(AMD.energy, scaled(at(gpu, 'energy', 'total_energy_consumption'), JOULES, 1e-6))
  add(AMD.gfx, at(gpu, 'usage', 'gfx_activity', 'gfx_usage'))
  add(AMD.umc, at(gpu, 'usage', 'umc_activity', 'mem_activity', 'mem_usage'))
  add(AMD.mm, at(gpu, 'usage', 'mm_activity', 'mm_usage_avg'))
  add(AMD.memoryUsed, at(gpu, 'mem_usage', 'used_vram'), GB)
  const heat = amount(at(gpu, 'temperature', 'junction', 'hotspot', 'edge'))
  // Some versions give thousandths of a degree without saying so.
  if (heat) values.push([AMD.temperature, heat.value > 1000 ? heat.value / 1000 : heat.value])
  add(AMD.ecc, at(gpu, 'ecc', 'total_uncorrectable_count', 'uncorrectable'))
  const throttle = at(gpu, 'power', 'throttle_status')
  if (typeof throttle === 'string' && /throttled/i.test(throttle)) values.push([AMD.throttle, /^un/i.test(throttle) ? 0 : 1])
  else if (typeof throttle === 'number') values.push([AMD.throttle, throttle === 0 ? 0 : 1])
  return values
}

function scaled(x: unknown, scales: Readonly<Record<string, number>>, factor: number): number | undefined {
  const found = amount(x)
  const scale = found && scales[found.unit]
  return found && scale !== undefined ? found.value * scale * factor : undefined
}

/** Who the GPUs are, from `amd-smi list --json` and `amd-smi static --json`. */
export function readIdentities(list: readonly Node[], statics: readonly Node[]): Map<string, GpuIdentity> {
  const known = new Map<string, GpuIdentity>()
  for (const entry of [...list, ...statics]) {
    const index = String(entry['gpu'])
    const asic = isNode(entry['asic']) ? entry['asic'] : {}
    const bus = isNode(entry['bus']) ? entry['bus'] : {}
    const before = known.get(index)
    const word = (x: unknown): string | undefined => (typeof x === 'string' && x !== 'N/A' && x !== '' ? x : undefined)
    known.set(index, {
      index,
      platform: 'amd',
      name: word(asic['market_name']) ?? (before && before.name !== UNKNOWN ? before.name : UNKNOWN),
      uuid: word(entry['uuid']) ?? before?.uuid ?? word(asic['asic_serial']),
      pciBusId: word(entry['bdf']) ?? word(bus['bdf']) ?? before?.pciBusId,
    })
  }
  return known
}

export const UNKNOWN = 'Unknown AMD GPU'
