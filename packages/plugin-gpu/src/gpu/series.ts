import type { TelemetrySeries, TelemetrySubject } from '@aiperf/core'
import type { GpuMetric } from './metrics.js'

/** Who a GPU is. What is not known is left out. */
export interface GpuIdentity {
  index: string
  name: string
  platform: 'nvidia' | 'amd'
  uuid?: string | undefined
  pciBusId?: string | undefined
  device?: string | undefined
  hostname?: string | undefined
  namespace?: string | undefined
  pod?: string | undefined
  /** Instance of a card that is cut into several (MIG), with its profile. */
  mig?: string | undefined
  migProfile?: string | undefined
}

export function gpuSubject({ index, name, ...rest }: GpuIdentity): TelemetrySubject {
  const attributes = Object.fromEntries(Object.entries(rest).filter((entry): entry is [string, string] => Boolean(entry[1])))
  const instance = rest.mig ? `/${rest.mig}` : ''
  return { kind: 'gpu', id: `${index}${instance}`, name: rest.migProfile ? `${name} ${rest.migProfile}` : name, attributes }
}

export function gpuSeries(subject: TelemetrySubject, metric: GpuMetric): TelemetrySeries {
  const { key, header, unit, type, description, continuous } = metric
  return { name: key, header, unit, type, description, labels: {}, subject, ...(continuous ? { continuous } : {}) }
}
