import type { Metric } from '@aiperf/core'
import { contributionsOf, type Host } from '@aiperf/core/host'
import { eachPaced, type Pause } from './paced.js'

/** Every metric of every installed package. A broken package costs its own metrics, and is told. */
export async function loadMetrics(host: Host, warn: (message: string) => void, pause?: Pause): Promise<Metric[]> {
  const families = await eachPaced(contributionsOf(host.index, 'metric'), pause, async (c) => {
    try {
      return await host.activate('metric', `${c.package}:${c.name}`, undefined)
    } catch (error) {
      warn((error as Error).message)
      return []
    }
  })
  return families.flat()
}
