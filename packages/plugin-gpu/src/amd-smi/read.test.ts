import { describe, expect, it } from 'vitest'
import { amount, gpuEntries, readGpu, readIdentities } from './read.js'

const values = (gpu: object): Record<string, number> => Object.fromEntries(readGpu(gpu as never).map(([metric, value]) => [metric.key, value]))

describe('answers of amd-smi', () => {
  it('are lists, or lists under gpu_data, after any warnings', () => {
    const gpus = [{ gpu: 0 }, { gpu: 1 }]
    for (const text of [JSON.stringify(gpus), JSON.stringify({ gpu_data: gpus }), `WARNING: x\n${JSON.stringify(gpus, null, 4)}`]) expect(gpuEntries(text)).toEqual(gpus)
    for (const text of ['', 'no GPU', '[', '{"gpu_data": "N/A"}', '[1, null, "x"]']) expect(gpuEntries(text) ?? []).toEqual([])
  })
  it('hold numbers bare, as text, with units, or N/A', () => {
    expect(amount(5)).toEqual({ value: 5, unit: '' })
    expect(amount('12.5 W')).toEqual({ value: 12.5, unit: 'W' })
    expect(amount({ value: '7', unit: 'MB' })).toEqual({ value: 7, unit: 'MB' })
    for (const none of ['N/A', null, undefined, { value: 'N/A', unit: 'W' }, [], Number.NaN]) expect(amount(none)).toBeUndefined()
  })
  it('are read in our units, whatever version wrote them', () => {
    const v = values({
      gpu: 0,
      usage: { gfx_activity: { value: 95, unit: '%' }, umc_activity: { value: 40, unit: '%' }, mm_activity: 'N/A' },
      power: { socket_power: 'N/A', current_socket_power: { value: 700, unit: 'W' }, throttle_status: 'THROTTLED' },
      temperature: { edge: 'N/A', hotspot: { value: 66, unit: 'C' } },
      mem_usage: { used_vram: { value: 100_000, unit: 'MB' } },
      energy: { total_energy_consumption: { value: 1_500_000, unit: 'J' } },
      ecc: { total_uncorrectable_count: 2 },
    })
    expect(v).toEqual({ amd_power: 700, amd_energy_consumption: 1.5, amd_gfx_activity: 95, amd_umc_activity: 40, amd_memory_used: 104.8576, amd_temperature: 66, amd_ecc_uncorrectable: 2, amd_throttle_status: 1 })
    expect(values({ gpu: 0, power: { socket_power: 300, throttle_status: 'UNTHROTTLED' }, temperature: { junction: 70, hotspot: 66_500 } })).toEqual({ amd_power: 300, amd_temperature: 70, amd_throttle_status: 0 })
    expect(values({ gpu: 0, temperature: { hotspot: 66_500 } })).toEqual({ amd_temperature: 66.5 })
    expect(values({ gpu: 0, usage: 'N/A', power: 'N/A' })).toEqual({})
  })
  it('name a GPU from what either of list and static knows', () => {
    const known = readIdentities([{ gpu: 0, bdf: '0000:05:00.0', uuid: 'u' }], [{ gpu: 0, asic: { market_name: 'AMD Instinct MI300X', asic_serial: '0x1' } }, { gpu: 1, bus: { bdf: '0000:06:00.0' } }])
    expect(known.get('0')).toEqual({ index: '0', platform: 'amd', name: 'AMD Instinct MI300X', uuid: 'u', pciBusId: '0000:05:00.0' })
    expect(known.get('1')).toMatchObject({ name: 'Unknown AMD GPU', pciBusId: '0000:06:00.0' })
  })
})
