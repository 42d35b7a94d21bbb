import type { Metric } from '@aiperf/core'
import { contributionsOf, type Host } from '@aiperf/core/host'

/** Every metric of every installed package. A broken package costs its own metrics, and is told. */
export async function loadMetrics(host: Host, warn: (message: string) => void): Promise<Metric[]> {
  const families = await Promise.all(
    contributionsOf(host.index, 'metric').map(async (c) => {
      try {
        return await host.activate('metric', `${c.package}:${c.name}`, undefined)
      } catch (error) {
        warn((error as Error).message)
        return []
      }
    }),
  )
  return families.flat()
}
