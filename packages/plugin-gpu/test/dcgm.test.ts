import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ArtifactDir, ConsoleTable, JsonObject } from '@aiperf/core'
import { describe, expect, it as base } from 'vitest'
import gpuTelemetry from '../dist/gpu-telemetry.js'
import dcgm from '../dist/dcgm.js'
import { Lab, runOf, type Phase } from './lab.js'

const it = base.extend<{ lab: Lab; servers: Server[] }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the parameter list
  lab: async ({}, use) => {
    const lab = new Lab()
    await use(lab)
    await lab.close()
  },
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the parameter list
  servers: async ({}, use) => {
    const servers: Server[] = []
    await use(servers)
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  },
})

/** An exporter of GPUs whose power follows a known curve; each GPU's is another multiple of it. */
const watts = (t: number): number => 400 + 150 * Math.sin(t)
const joules = (t: number): number => 400 * t - 150 * Math.cos(t)
const labels = (gpu: number, more = ''): string => `gpu="${gpu}",UUID="GPU-${gpu}",pci_bus_id="00000000:0${gpu}:00.0",device="nvidia${gpu}",modelName="NVIDIA H100 80GB HBM3",Hostname="node1"${more}`
function exposition({ energy = true, gpus = 1, extra = '' } = {}): string {
  const t = Date.now() / 1000
  const each = (line: (gpu: number) => string): string => Array.from({ length: gpus }, (_, gpu) => line(gpu)).join('')
  return `# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).
# TYPE DCGM_FI_DEV_POWER_USAGE gauge
${each((gpu) => `DCGM_FI_DEV_POWER_USAGE{${labels(gpu)}} ${(watts(t) * (gpu + 1)).toFixed(3)}\n`)}# TYPE DCGM_FI_DEV_FB_USED gauge
${each((gpu) => `DCGM_FI_DEV_FB_USED{${labels(gpu)}} 70000\n`)}# TYPE DCGM_FI_DEV_MEM_COPY_UTIL gauge
${each((gpu) => `DCGM_FI_DEV_MEM_COPY_UTIL{${labels(gpu)}} 2147483632\n`)}# TYPE DCGM_FI_PROF_SM_ACTIVE gauge
${each((gpu) => `DCGM_FI_PROF_SM_ACTIVE{${labels(gpu)}} 0.731\n`)}${energy ? `# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION counter\n${each((gpu) => `DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{${labels(gpu)}} ${Math.round(joules(t) * (gpu + 1) * 1000)}\n`)}` : ''}${extra}`
}
async function exporter(servers: Server[], answer: (response: ServerResponse, nth: number) => void): Promise<string> {
  let nth = 0
  const server = createServer((_, response) => answer(response, nth++)).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const stat = (phase: Phase, name: string, gpu = '0') => phase.results[0]?.summarise([phase.window], name).find((s) => s.series.subject?.id === gpu)
const truth = (phase: Phase): number => joules(phase.toUnix) - joules(phase.fromUnix)

/** Half a percent, and what the moments of the samples at the borders leave open: a busy machine answers late. */
function tolerance(phase: Phase): number {
  const openNs = [...phase.results[0]!.samples()].reduce((sum, sample) => (sample.border ? sum + 2 * (sample.ns - sample.askedNs!) : sum), 0)
  return 0.005 + (openNs / 1e9) * (550 / truth(phase))
}

interface Written { files: Map<string, string>; json: JsonObject; csv: readonly (readonly (string | number | undefined)[])[]; tables: readonly ConsoleTable[]; phases: unknown }
async function exported(phase: Phase, phases?: Parameters<typeof runOf>[1]): Promise<Written> {
  const files = new Map<string, string>()
  const dir = {
    named: (name: string) => name,
    write: async (name: string, content: string) => void files.set(name, content),
    stream: async (name: string, chunks: AsyncIterable<string>) => {
      let text = ''
      for await (const chunk of chunks) text += chunk
      files.set(name, text)
    },
  } as unknown as ArtifactDir
  const run = runOf(phase, phases)
  const made = await gpuTelemetry.create({ options: {}, random: undefined as never })
  const added = await made.adds!(run)
  await made.write(run, dir)
  return { files, json: added.json!, csv: added.csv![0]!, tables: added.tables ?? [], phases: added.phases }
}

describe.concurrent('a DCGM exporter', () => {
  it('gives names, units and identities as specified, and the energy of a known power curve within half a percent', async ({ lab, servers }) => {
    const url = await exporter(servers, (response) => response.end(exposition({ gpus: 2 })))
    const phase = await lab.phase({ items: [url] }, { ms: 2500, samples: 5 })
    expect(stat(phase, 'nvidia_memory_used')!.gauge!.avg).toBeCloseTo(73.40032, 6)
    expect(stat(phase, 'nvidia_sm_utilization')!.gauge!.avg).toBeCloseTo(73.1, 6)
    expect(stat(phase, 'nvidia_memory_utilization')).toBeUndefined()
    for (const [gpu, factor] of [['0', 1], ['1', 2]] as const) {
      const { total, exact } = stat(phase, 'nvidia_energy_consumption', gpu)!.counter!
      expect(exact).toBe(true)
      expect(Math.abs((total * 1e6) / (truth(phase) * factor) - 1)).toBeLessThan(tolerance(phase))
    }
    const { json, csv, tables, files, phases } = await exported(phase, [{ name: 'warmup', kind: 'warmup', startNs: 0, endNs: 1 }, {}])
    const host = new URL(url).host
    const data = json['telemetry_data'] as { summary: JsonObject; endpoints: Record<string, { gpus: Record<string, { metrics: Record<string, JsonObject>; energy: { joules: number; method: string } }> }> }
    expect(data.summary).toMatchObject({ endpoints_configured: [host], endpoints_successful: [host] })
    expect(data.endpoints[host]!.gpus['gpu_1']).toMatchObject({ gpu_index: 1, gpu_name: 'NVIDIA H100 80GB HBM3', gpu_uuid: 'GPU-1', platform: 'nvidia', hostname: 'node1' })
    expect(Object.keys(data.endpoints[host]!.gpus['gpu_0']!.metrics)).toEqual(['nvidia_power_usage', 'nvidia_memory_used', 'nvidia_sm_utilization', 'nvidia_energy_consumption'])
    expect(data.endpoints[host]!.gpus['gpu_0']!.energy.method).toBe('counter')
    expect(csv[0]!.slice(0, 8)).toEqual(['Endpoint', 'GPU_Index', 'GPU_Name', 'GPU_UUID', 'Platform', 'Metric', 'avg', 'min'])
    expect(csv[0]!.at(-1)).toBe('Hostname')
    expect(csv).toHaveLength(1 + 2 * 4)
    expect(tables.map((table) => table.title)).toEqual([`${host} | GPU 0 | NVIDIA H100 80GB HBM3`, `${host} | GPU 1 | NVIDIA H100 80GB HBM3`])
    expect(tables[0]!.before).toEqual(['1/1 GPU telemetry sources reachable', `  ✔ ${host}`])
    expect([...files.keys()]).toEqual(['gpu_telemetry_export.jsonl', 'phases/warmup/gpu_telemetry.json', 'phases/profiling/gpu_telemetry.json'])
    expect(phases).toEqual({ 0: { gpu_telemetry_json: 'phases/warmup/gpu_telemetry.json' }, 1: { gpu_telemetry_json: 'phases/profiling/gpu_telemetry.json' } })
    const text = files.get('gpu_telemetry_export.jsonl')!
    const lines = text.trim().split('\n').map((line) => JSON.parse(line) as JsonObject)
    expect(lines).toHaveLength(2 * phase.results[0]!.targets[0]!.samples)
    expect(lines[0]).toMatchObject({ gpu_index: 0, gpu_uuid: 'GPU-0', gpu_model_name: 'NVIDIA H100 80GB HBM3', platform: 'nvidia', hostname: 'node1', telemetry_source_url: `${url}/metrics` })
    expect(text).toMatch(/"timestamp_ns":1796036\d{12},/)
    expect((lines[0]!['telemetry_data'] as JsonObject)['nvidia_memory_used']).toBeCloseTo(73.40032, 6)
    expect(dcgm.judge!(phase.results[0]!, phase.window)).toEqual([])
  })
  it('without a counter gives energy by trapezoids, within half a percent', async ({ lab, servers }) => {
    const url = await exporter(servers, (response) => response.end(exposition({ energy: false })))
    const phase = await lab.phase({ items: [url], intervalSeconds: 0.1 }, { ms: 2500, samples: 12 })
    const { json } = await exported(phase)
    const { coverage } = stat(phase, 'nvidia_power_usage')!.gauge!
    const { energy } = (json['telemetry_data'] as { endpoints: Record<string, { gpus: Record<string, { energy: { joules: number; method: string } }> }> }).endpoints[new URL(url).host]!.gpus['gpu_0']!
    expect(energy.method).toBe('power integral')
    expect(Math.abs(energy.joules / truth(phase) - 1)).toBeLessThan(tolerance(phase) + (1 - coverage) / 2)
  })
  it('may hang, die, and answer other things: power is right where it was seen, and the reasons are told', async ({ lab, servers }) => {
    const url = await exporter(servers, (response, nth) => {
      if (nth % 7 === 3) response.destroy()
      else if (nth % 7 === 5) response.writeHead(503).end('busy')
      else if (nth % 7 === 6) response.end('<html>proxy</html>')
      else response.end(exposition({ extra: `# TYPE DCGM_FI_DEV_XID_ERRORS gauge\nDCGM_FI_DEV_XID_ERRORS{${labels(0)}} ${nth > 3 ? 31 : 0}\n` }))
    })
    const phase = await lab.phase({ items: [url], intervalSeconds: 0.05 }, { ms: 1000, samples: 8, failures: 3 })
    const [target] = phase.results[0]!.targets
    expect(target!.failures).toBeGreaterThanOrEqual(2)
    expect(Math.abs((stat(phase, 'nvidia_energy_consumption')!.counter!.total * 1e6) / truth(phase) - 1)).toBeLessThan(0.3)
    expect(dcgm.judge!(phase.results[0]!, phase.window)).toContainEqual(expect.objectContaining({ code: 'gpu-error', level: 'suspect', value: 31 }))
  })
  it('takes further fields from a file', async ({ lab, servers }) => {
    const file = join(lab.folder, 'fields.csv')
    writeFileSync(file, 'DCGM_FI_DEV_SM_CLOCK, gauge, SM clock frequency (in MHz)\n')
    const url = await exporter(servers, (response) => response.end(exposition({ extra: `# TYPE DCGM_FI_DEV_SM_CLOCK gauge\nDCGM_FI_DEV_SM_CLOCK{${labels(0)}} 1980\n` })))
    const phase = await lab.phase({ items: [url, file], intervalSeconds: 0.1 }, { ms: 100, samples: 2 })
    expect(stat(phase, 'nvidia_sm_clock')).toMatchObject({ gauge: { avg: 1980 }, series: { unit: 'MHz' } })
  })
  it('that was asked for and is absent is warned of; the usual ports are not', async ({ lab, servers }) => {
    const server = await exporter(servers, () => {})
    servers.pop()!.close()
    const phase = await lab.phase({ items: [server], defaultUrls: [`${server}/other/metrics`] }, { ms: 50 })
    expect(phase.said).toEqual([expect.stringMatching(new RegExp(`^warn: No GPU telemetry from ${server}/metrics: .*ECONNREFUSED`))])
    const quiet = await lab.phase({ items: [], defaultUrls: [`${server}/metrics`] }, { ms: 50 })
    expect(quiet.said).toEqual([])
    const { json, csv } = await exported(phase)
    expect(json['telemetry_data']).toMatchObject({ summary: { endpoints_configured: [new URL(server).host], endpoints_successful: [] }, endpoints: {} })
    expect(csv).toHaveLength(1)
  })
  it('a file of fields that does not exist ends the run before it starts', async ({ lab }) => {
    await expect(lab.phase({ items: ['nowhere.csv'] }, { ms: 10 })).rejects.toThrow('nowhere.csv cannot be read')
  })
})
