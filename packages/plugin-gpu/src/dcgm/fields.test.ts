import { describe, expect, it } from 'vitest'
import { readItems } from '../gpu/items.js'
import { isBlank, readFieldFile } from './fields.js'
import { gpuOf } from './labels.js'

describe('a file of further fields', () => {
  it('adds gauges and counters by name, with the unit from the help text', () => {
    const problems: string[] = []
    const text = '\uFEFF# comment\n\nDCGM_FI_DEV_SM_CLOCK, gauge, SM clock frequency (in MHz).\r\nDCGM_FI_PROF_DRAM_ACTIVE,gauge,Ratio, with commas\nDCGM_FI_DEV_PCIE_REPLAY_COUNTER, counter, Retries.\nDCGM_FI_DRIVER_VERSION, label, Driver\nDCGM_FI_DEV_POWER_USAGE, gauge, known already\nnonsense\nDCGM_FI_DEV_X, histogram, y\n'
    const fields = readFieldFile(text, (line, reason) => problems.push(`${line}: ${reason}`))
    expect([...fields.keys()]).toEqual(['DCGM_FI_DEV_SM_CLOCK', 'DCGM_FI_PROF_DRAM_ACTIVE', 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER'])
    expect(fields.get('DCGM_FI_DEV_SM_CLOCK')!.metric).toMatchObject({ key: 'nvidia_sm_clock', header: 'SM Clock', unit: 'MHz', type: 'gauge' })
    expect(fields.get('DCGM_FI_PROF_DRAM_ACTIVE')!.metric).toMatchObject({ key: 'nvidia_dram_active', unit: '', description: 'Ratio, with commas' })
    expect(fields.get('DCGM_FI_DEV_PCIE_REPLAY_COUNTER')!.metric.type).toBe('counter')
    expect(problems).toEqual(['8: nonsense is no DCGM field (DCGM_FI_…)', '9: DCGM_FI_DEV_X must be gauge or counter, got "histogram"'])
  })
})

describe('values and labels', () => {
  it('that DCGM marks as blank are none', () => {
    for (const blank of [0x7ffffff0, 0x7fffffff, 2147483634, 140_737_488_355_328, 9.223372036854776e18]) expect(isBlank(blank)).toBe(true)
    for (const value of [0, 512.3, 2_147_483_631, 2_147_483_648, 5e9, 1.2e12]) expect(isBlank(value)).toBe(false)
  })
  it('name a GPU, or an instance of one', () => {
    expect(gpuOf({ gpu: '1', UUID: 'GPU-1', modelName: 'NVIDIA H200', Hostname: 'node7', GPU_I_ID: '2', GPU_I_PROFILE: '1g.18gb', exported_pod: 'p' })).toMatchObject({ index: '1', uuid: 'GPU-1', name: 'NVIDIA H200', hostname: 'node7', mig: '2', migProfile: '1g.18gb', pod: 'p' })
    expect(gpuOf({ UUID: 'x' })).toBeUndefined()
  })
})

describe('what --gpu-telemetry lists', () => {
  it('is sorted into exporters, files and names', () => {
    expect(readItems(['http://a:9400', 'b:9500/', 'https://c/gpu/metrics', 'my/Fields.CSV', 'dashboard', 'pynvml', 'AMD_SMI'])).toEqual({
      urls: ['http://a:9400/metrics', 'http://b:9500/metrics', 'https://c/gpu/metrics'],
      files: ['my/Fields.CSV'],
      names: ['pynvml', 'amd-smi'],
    })
  })
})
