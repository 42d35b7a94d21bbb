import type { GpuIdentity } from '../gpu/series.js'

/** The GPU that a sample's labels name; undefined when they name none. */
export function gpuOf(labels: Readonly<Record<string, string>>): GpuIdentity | undefined {
  const index = labels['gpu']
  if (index === undefined || index === '') return undefined
  return {
    index,
    name: labels['modelName'] ?? 'Unknown GPU',
    platform: 'nvidia',
    uuid: labels['UUID'] ?? labels['uuid'],
    pciBusId: labels['pci_bus_id'],
    device: labels['device'],
    hostname: labels['Hostname'],
    namespace: labels['namespace'] ?? labels['exported_namespace'],
    pod: labels['pod'] ?? labels['exported_pod'],
    mig: labels['GPU_I_ID'],
    migProfile: labels['GPU_I_PROFILE'],
  }
}
