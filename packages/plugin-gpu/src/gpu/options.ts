import { z } from 'zod'

const GROUP = 'GPU Telemetry'

/** Options of every source behind `--gpu-telemetry`: they share the flag, and each looks for its own name in the list. */
export const gpuFields = {
  enabled: z.boolean().default(true).describe('Whether GPUs are sampled'),
  disabled: z.boolean().default(false).describe('Turn GPU telemetry off').meta({ flag: '--no-gpu-telemetry', group: GROUP }),
  items: z
    .array(z.string().min(1))
    .default([])
    .describe('nvidia-smi or amd-smi (also: pynvml, amdsmi) for this machine, URLs of DCGM exporters, a CSV file of further DCGM fields, or a source by name')
    .meta({ flag: '--gpu-telemetry', group: GROUP, comma: 'list', value: '<source|URL|file.csv>', paths: ['gpuTelemetry.urls'] }),
  intervalSeconds: z.number().min(0.01).max(300).default(0.333).describe('Time between samples, s').meta({ env: ['AIPERF_GPU_COLLECTION_INTERVAL'], group: GROUP }),
  reachabilitySeconds: z.number().min(1).max(300).default(10).describe('Limit of one answer, s').meta({ env: ['AIPERF_GPU_REACHABILITY_TIMEOUT'], group: GROUP }),
} as const

/** The options as running code sees them. */
export interface GpuOptions {
  items: string[]
  intervalSeconds: number
  reachabilitySeconds: number
}
