import { z } from 'zod'
import { gpuFields } from './gpu/options.js'

export default z.strictObject({
  ...gpuFields,
  defaultUrls: z
    .array(z.string().min(1))
    .default(['http://localhost:9400/metrics', 'http://localhost:9401/metrics'])
    .describe('Where an exporter is looked for without being asked')
    .meta({ env: ['AIPERF_GPU_DEFAULT_DCGM_ENDPOINTS'], group: 'GPU Telemetry', comma: 'list' }),
})
