/** A quantity of a GPU, as files and tables name it. */
export interface GpuMetric {
  key: string
  header: string
  unit: string
  type: 'gauge' | 'counter'
  description: string
  /** Grows all the time: energy. */
  continuous?: boolean
}

const gauge = (key: string, header: string, unit: string, description: string): GpuMetric => ({ key, header, unit, type: 'gauge', description })
const counter = (key: string, header: string, unit: string, description: string): GpuMetric => ({ key, header, unit, type: 'counter', description })

/** In the order of tables. */
export const NVIDIA = {
  power: gauge('nvidia_power_usage', 'NVIDIA GPU Power Usage', 'W', 'Power drawn by the card'),
  energy: { ...counter('nvidia_energy_consumption', 'NVIDIA Energy Consumption', 'MJ', 'Energy drawn since the driver was loaded'), continuous: true },
  utilization: gauge('nvidia_gpu_utilization', 'NVIDIA GPU Utilization', '%', 'Share of time in which a kernel ran'),
  memoryUtilization: gauge('nvidia_memory_utilization', 'NVIDIA Memory Utilization', '%', 'Share of time in which memory was read or written'),
  memoryUsed: gauge('nvidia_memory_used', 'NVIDIA GPU Memory Used', 'GB', 'Device memory in use (1 GB = 10^9 bytes)'),
  temperature: gauge('nvidia_temperature', 'NVIDIA GPU Temperature', '°C', 'Temperature of the core'),
  sm: gauge('nvidia_sm_utilization', 'NVIDIA SM Utilization', '%', 'Share of time in which the multiprocessors held a warp'),
  decoder: gauge('nvidia_decoder_utilization', 'NVIDIA Decoder Utilization', '%', 'Use of the video decoder'),
  encoder: gauge('nvidia_encoder_utilization', 'NVIDIA Encoder Utilization', '%', 'Use of the video encoder'),
  jpeg: gauge('nvidia_jpg_utilization', 'NVIDIA JPEG Utilization', '%', 'Use of the JPEG engine'),
  xid: gauge('nvidia_xid_errors', 'NVIDIA XID Errors', 'count', 'Number (code) of the last XID error; 0: none'),
  powerViolation: counter('nvidia_power_violation', 'NVIDIA Power Violation', 'us', 'Time in which a power limit held the clocks down'),
} satisfies Record<string, GpuMetric>

export const AMD = {
  power: gauge('amd_power', 'AMD GPU Power', 'W', 'Power drawn by the socket'),
  energy: { ...counter('amd_energy_consumption', 'AMD Energy Consumption', 'MJ', 'Energy drawn since the driver was loaded'), continuous: true },
  gfx: gauge('amd_gfx_activity', 'AMD GFX Activity', '%', 'Use of the compute engine'),
  umc: gauge('amd_umc_activity', 'AMD UMC Activity', '%', 'Use of the memory controller'),
  mm: gauge('amd_mm_activity', 'AMD MM Activity', '%', 'Use of the multimedia engines'),
  memoryUsed: gauge('amd_memory_used', 'AMD GPU Memory Used', 'GB', 'Device memory in use (1 GB = 10^9 bytes)'),
  temperature: gauge('amd_temperature', 'AMD GPU Temperature', '°C', 'Temperature of the junction, else of the hottest spot'),
  ecc: counter('amd_ecc_uncorrectable', 'AMD ECC Uncorrectable', 'count', 'Memory errors that could not be corrected'),
  throttle: gauge('amd_throttle_status', 'AMD Throttle Status', 'count', '1 while the clocks are held down, else 0'),
} satisfies Record<string, GpuMetric>

/** MiB in GB: what drivers call MB is 2^20 bytes. */
export const GB_PER_MIB = 0.001048576
