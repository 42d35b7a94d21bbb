import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it as base } from 'vitest'
import { Lab, runOf, type Phase } from './lab.js'
import gpuTelemetry from '../dist/gpu-telemetry.js'
import { runTool } from '../dist/gpu/tool.js'
import { prepareQuery } from '../dist/nvidia-smi/query.js'

const it = base.extend<{ lab: Lab }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the parameter list
  lab: async ({}, use) => {
    const lab = new Lab()
    await use(lab)
    await lab.close()
  },
})
const stat = (phase: Phase, name: string, gpu = '0') => phase.results[0]?.summarise([phase.window], name).find((s) => s.series.subject?.id === gpu)

const BASE = ['index', 'uuid', 'name', 'pci.bus_id', 'utilization.gpu', 'utilization.memory', 'memory.used', 'temperature.gpu', 'power.draw']
const OLD = BASE
const NEW = [...BASE, 'mig.mode.current', 'power.draw.instant', 'power.draw.average', 'utilization.encoder', 'utilization.decoder', 'utilization.jpeg', 'clocks_event_reasons_counters.sw_power_cap']
const gpu = (i: number, more: object = {}) => ({ index: i, uuid: `GPU-${i}${i}`, name: 'NVIDIA H100 80GB HBM3', 'pci.bus_id': `00000000:0${i}:00.0`, 'mig.mode.current': 'Disabled', 'utilization.gpu': 87, 'utilization.memory': 40, 'memory.used': 70000, 'temperature.gpu': 61, 'power.draw': '512.25', 'power.draw.instant': '530.50', 'utilization.encoder': 0, 'utilization.decoder': 3, 'utilization.jpeg': 0, 'clocks_event_reasons_counters.sw_power_cap': 1000, ...more })

describe('nvidia-smi and its drivers', () => {
  it('is asked for what a new driver offers, several GPUs at once, in our units', async ({ lab }) => {
    lab.tool('nvidia-smi', 'nvidia-smi.mjs', { fields: NEW, gpus: [gpu(0), gpu(1, { 'power.draw.instant': '101.00', 'utilization.gpu': 5 })] })
    const rows = await asked(lab)
    expect(rows.map(({ index }) => index)).toEqual(['0', '1'])
    expect(rows[0]!.values).toMatchObject({ nvidia_power_usage: 530.5, nvidia_gpu_utilization: 87, nvidia_memory_utilization: 40, nvidia_temperature: 61, nvidia_decoder_utilization: 3, nvidia_encoder_utilization: 0, nvidia_jpg_utilization: 0, nvidia_power_violation: 1000 })
    expect(rows[0]!.values['nvidia_memory_used']).toBeCloseTo(73.40032, 6)
    expect(rows[1]!.values).toMatchObject({ nvidia_power_usage: 101, nvidia_gpu_utilization: 5 })
    expect(rows[0]!.subject).toEqual({ kind: 'gpu', id: '0', name: 'NVIDIA H100 80GB HBM3', attributes: { platform: 'nvidia', uuid: 'GPU-00', pciBusId: '00000000:00:00.0', device: 'nvidia0' } })
  })
  it('is asked for less of an old driver, and a field the help promises but the query refuses is dropped', async ({ lab }) => {
    lab.tool('nvidia-smi', 'nvidia-smi.mjs', { fields: OLD, helpFields: [...OLD, 'utilization.encoder', 'power.draw.instant'], gpus: [gpu(0)] })
    const [row] = await asked(lab)
    expect(row!.values).toMatchObject({ nvidia_power_usage: 512.25, nvidia_temperature: 61 })
    expect(Object.keys(row!.values)).not.toContain('nvidia_encoder_utilization')
  })
  it('works without its help, and passes over what a card does not tell', async ({ lab }) => {
    lab.tool('nvidia-smi', 'nvidia-smi.mjs', { help: false, fields: NEW, gpus: [gpu(0, { name: 'NVIDIA A100-SXM4-40GB', 'mig.mode.current': 'Enabled', 'utilization.gpu': '[N/A]', 'power.draw.instant': '[Not Supported]', 'temperature.gpu': '[Unknown Error]' })] })
    const [row] = await asked(lab)
    expect(Object.keys(row!.values).sort()).toEqual(['nvidia_decoder_utilization', 'nvidia_encoder_utilization', 'nvidia_jpg_utilization', 'nvidia_memory_used', 'nvidia_memory_utilization', 'nvidia_power_violation'])
    expect(row!.subject.name).toBe('NVIDIA A100-SXM4-40GB (MIG)')
  })
  it('says in its own words why there is nothing', async ({ lab }) => {
    lab.tool('nvidia-smi', 'nvidia-smi.mjs', { fails: "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure it runs." })
    expect(await lab.on(() => prepareQuery(new AbortController().signal, 5000))).toBe("nvidia-smi: NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure it runs")
    expect(await prepareQuery(new AbortController().signal, 5000)).toBe('nvidia-smi is not on this machine')
  })
})

describe.concurrent('nvidia-smi in a run', () => {
  it('gives the energy of a known power curve within a percent: lines reach us when the system lets them', async ({ lab }) => {
    lab.tool('nvidia-smi', 'nvidia-smi.mjs', { fields: NEW, curve: true, gpus: [gpu(0), gpu(1)] })
    const phase = await lab.phase({ items: ['pynvml'], intervalSeconds: 0.25 }, { ms: 3500, samples: 8 })
    expect(phase.results.map((r) => r.source)).toEqual(['nvidia-smi'])
    expect(stat(phase, 'nvidia_temperature', '1')!.gauge!.avg).toBe(61)
    const joules = (t: number): number => 300 * t - 200 * Math.cos(t / 2)
    const truth = joules(phase.toUnix) - joules(phase.fromUnix)
    const { coverage } = stat(phase, 'nvidia_power_usage')!.gauge!
    const { energy } = (await additions(phase)).endpoints['nvidia-smi']!.gpus['gpu_0']!
    expect(energy).toMatchObject({ method: 'power integral' })
    expect(Math.abs(energy.joules / truth - 1)).toBeLessThan(0.01 + (1 - coverage) / 2)
  })
  it('is started again when it dies, which is said once', async ({ lab }) => {
    lab.tool('nvidia-smi', 'nvidia-smi.mjs', { fields: NEW, gpus: [gpu(0)], diesAfter: 3 })
    const phase = await lab.phase({ items: ['nvidia-smi'], intervalSeconds: 0.05 }, { ms: 500, samples: 5, failures: 2 })
    // On a machine that is too busy to start a program within seconds, it is called once per sample instead.
    const gaveUp = phase.said.some((line) => line.includes('it is called once per sample'))
    if (!gaveUp) expect(phase.results[0]!.targets[0]!.failures).toBeGreaterThanOrEqual(2)
    expect(phase.said.filter((line) => line.includes('nvidia-smi ended with code 255')).length).toBeLessThanOrEqual(1)
    expect(phase.said.length).toBeGreaterThanOrEqual(1)
    const { avg, coverage } = stat(phase, 'nvidia_power_usage')!.gauge!
    expect(avg).toBeCloseTo(530.5, 6)
    expect(coverage).toBeLessThan(1)
  })
  it('is started again when it stalls', async ({ lab }) => {
    lab.tool('nvidia-smi', 'nvidia-smi.mjs', { fields: NEW, gpus: [gpu(0)], stallsAfter: 3 })
    const phase = await lab.phase({ items: ['nvidia-smi'], intervalSeconds: 0.05 }, { ms: 500, samples: 6, failures: 1 })
    expect(phase.results[0]!.targets[0]!.failures).toBeGreaterThanOrEqual(1)
    expect(phase.said.join()).toMatch(/nvidia-smi (stopped \(no sample within 3 s\); it is started again|.*it is called once per sample)/)
    expect(stat(phase, 'nvidia_power_usage')!.gauge).toMatchObject({ avg: 530.5, min: 530.5, max: 530.5 })
  })
  it('is called once per sample where its stream says nothing', async ({ lab }) => {
    lab.tool('nvidia-smi', 'nvidia-smi.mjs', { fields: NEW, gpus: [gpu(0)], noStream: true })
    const phase = await lab.phase({ items: ['nvidia-smi'], intervalSeconds: 0.2 }, { ms: 500, samples: 3, failures: 1 })
    expect(phase.said.join()).toContain('it is called once per sample')
    expect(stat(phase, 'nvidia_power_usage')!.gauge!.avg).toBeCloseTo(530.5, 6)
  })
})

const AMD = {
  gpu: 0,
  usage: { gfx_activity: { value: 95, unit: '%' }, umc_activity: { value: 40, unit: '%' }, mm_activity: 'N/A', vcn_activity: ['N/A', { value: 0, unit: '%' }] },
  power: { socket_power: { value: 700, unit: 'W' }, gfx_voltage: 'N/A', throttle_status: 'THROTTLED', power_management: 'ENABLED' },
  temperature: { edge: 'N/A', hotspot: { value: 66, unit: 'C' }, mem: { value: 55, unit: 'C' } },
  mem_usage: { total_vram: { value: 196608, unit: 'MB' }, used_vram: { value: 100000, unit: 'MB' } },
  energy: { total_energy_consumption: { value: 1_000_000, unit: 'J' } },
  ecc: { total_correctable_count: 3, total_uncorrectable_count: 0 },
}
const LIST = [{ gpu: 0, bdf: '0000:05:00.0', uuid: '11ff74b5-0000-1000-80f1-6d39f9a2b1c0', kfd_id: 1 }]
const STATIC = { gpu_data: [{ gpu: 0, asic: { market_name: 'AMD Instinct MI300X', asic_serial: '0x1' }, bus: { bdf: '0000:05:00.0' } }] }

describe.concurrent('amd-smi in a run', () => {
  it('survives a call that dies, and counts energy over a phase', async ({ lab }) => {
    const round = (joules: number) => ({ gpu_data: [{ ...AMD, energy: { total_energy_consumption: { value: joules, unit: 'J' } } }] })
    lab.tool('amd-smi', 'amd-smi.mjs', { metric: { rounds: [1, 1, 1, 700, 1400, 2100, 2800].map(round) }, list: LIST, static: STATIC, diesAt: 3 })
    const phase = await lab.phase({ items: ['amdsmi'] }, { ms: 1000, samples: 4, failures: 1 })
    expect(phase.results[0]!.targets[0]).toMatchObject({ failures: expect.any(Number), lastError: expect.stringMatching(/^amd-smi (ended with code 139|did not answer)/) })
    expect(stat(phase, 'amd_power')!.gauge!.avg).toBe(700)
    expect(stat(phase, 'amd_energy_consumption')!.counter!.total).toBeGreaterThan(0)
    expect(stat(phase, 'amd_power')!.series.subject).toEqual({ kind: 'gpu', id: '0', name: 'AMD Instinct MI300X', attributes: { platform: 'amd', uuid: LIST[0]!.uuid, pciBusId: '0000:05:00.0' } })
    expect(readFileSync(join(lab.folder, 'amd-smi.json.calls'), 'utf8').split('\n')[0]).toBe('metric --json -u -p -t -m -E -e')
  })
  it('is asked for everything when it knows no sections, and survives a call that stalls', async ({ lab }) => {
    const old = [{ ...AMD, gpu: 3, power: { current_socket_power: '312 W' }, temperature: { hotspot: 66_500 }, mem_usage: { used_vram: '2048 MB' } }]
    lab.tool('amd-smi', 'amd-smi.mjs', { metric: `WARNING: something\n${JSON.stringify(old)}`, refuses: '-E', list: 'not json', static: 'N/A', stallsAt: 3 })
    const phase = await lab.phase({ items: ['amd-smi'], reachabilitySeconds: 4 }, { ms: 500, samples: 3, failures: 1 })
    expect(stat(phase, 'amd_power', '3')!.gauge!.avg).toBe(312)
    expect(stat(phase, 'amd_power', '3')!.series.subject).toMatchObject({ name: 'Unknown AMD GPU' })
    expect(phase.results[0]!.targets[0]!.failures).toBeGreaterThanOrEqual(1)
  })
  it('is absent in one quiet line', async ({ lab }) => {
    const phase = await lab.phase({ items: ['amd-smi'] }, { ms: 50 })
    expect(phase.said).toEqual(['info: No GPU telemetry: amd-smi is not on this machine.'])
    expect(phase.results).toEqual([])
  })
})

/** The rows of one call, by the names of our metrics. */
async function asked(lab: Lab) {
  return lab.on(async () => {
    const signal = new AbortController().signal
    const query = await prepareQuery(signal, 5000)
    if (typeof query === 'string') throw new Error(query)
    const { stdout } = await runTool('nvidia-smi', query.args, signal, 5000)
    return stdout.split('\n').map((line) => {
      const { index, values } = query.read(line)!
      return { index, subject: values[0]!.series.subject!, values: Object.fromEntries(values.map((v) => [v.series.name, 'value' in v ? v.value : Number.NaN])) }
    })
  })
}

interface Document { endpoints: Record<string, { gpus: Record<string, { energy: { joules: number; method: string } }> }> }
async function additions(phase: Phase): Promise<Document> {
  const exporter = await gpuTelemetry.create({ options: {}, random: undefined as never })
  return (await exporter.adds!(runOf(phase))).json!['telemetry_data'] as unknown as Document
}
