import type { RunResult } from '@aiperf/core'
import { createHost, type PluginIndex } from '@aiperf/core/host'

const warn = (message: string): void => void process.stderr.write(`warn: ${message}\n`)

/** What readers of finished runs need: how a journal is evaluated, and where doubts are told. */
export function runReader(index: PluginIndex): { index: PluginIndex; open(directory: string): Promise<{ result: RunResult; close(): void }>; warn(message: string): void } {
  const host = createHost(index)
  let loaded: Promise<{ loadResult: typeof import('@aiperf/engine').loadResult; metrics: Awaited<ReturnType<typeof import('@aiperf/engine').loadMetrics>> }> | undefined
  const engine = async () => {
    const { loadMetrics, loadResult } = await import('@aiperf/engine')
    return { loadResult, metrics: await loadMetrics(host, warn) }
  }
  return {
    index,
    async open(directory) {
      const { loadResult, metrics } = await (loaded ??= engine())
      return loadResult(directory, host, metrics)
    },
    warn,
  }
}
