import { defineTelemetrySource, type OptionsSchema, type PolledTarget, type TelemetryContext, type TelemetrySeries, type TelemetryValue } from '@aiperf/core'
import { gpuEntries, readGpu, readIdentities, UNKNOWN } from './amd-smi/read.js'
import { judgeGpus } from './gpu/judge.js'
import { liveGpus } from './gpu/live.js'
import type { GpuOptions } from './gpu/options.js'
import { gpuSeries, gpuSubject, type GpuIdentity } from './gpu/series.js'
import { complaint, runTool } from './gpu/tool.js'

type Context = TelemetryContext<GpuOptions>
const TOOL = 'amd-smi'
/** The sections that are wanted: usage, power, temperature, memory, energy, errors. */
const WANTED = ['metric', '--json', '-u', '-p', '-t', '-m', '-E', '-e']
const EVERYTHING = ['metric', '--json']
/** The tool is a program of its own that takes most of a second: it is not called more often. */
const LEAST_INTERVAL_MS = 1000

/** GPUs of this machine by amd-smi, called once per sample. */
export default defineTelemetrySource<OptionsSchema<GpuOptions>>({
  judge: judgeGpus,
  create(context: Context) {
    const timeoutMs = context.options.reachabilitySeconds * 1000
    return {
      live: liveGpus,
      async discover(signal) {
        const run = (args: readonly string[]) => runTool(TOOL, args, signal, timeoutMs)
        let args = WANTED
        let answer = await run(args)
        if (!answer.missing && answer.exitCode !== 0) answer = await run((args = EVERYTHING))
        if (answer.missing || !gpuEntries(answer.stdout)?.length) {
          context.log('info', `No GPU telemetry: ${complaint(TOOL, answer)}.`)
          return []
        }
        const [list, statics] = await Promise.all([run(['list', '--json']), run(['static', '--json', '-a', '-b'])])
        return [target(args, readIdentities(gpuEntries(list.stdout) ?? [], gpuEntries(statics.stdout) ?? []), timeoutMs, context)]
      },
    }
  },
})

function target(args: readonly string[], identities: ReadonlyMap<string, GpuIdentity>, timeoutMs: number, { now, options }: Context): PolledTarget {
  const known = new Map<string, Map<string, TelemetrySeries>>()
  return {
    name: TOOL,
    asked: true,
    intervalMs: Math.max(LEAST_INTERVAL_MS, options.intervalSeconds * 1000),
    timeoutMs,
    async sample(signal) {
      const askedNs = now()
      const result = await runTool(TOOL, args, signal, timeoutMs)
      const ns = now()
      const gpus = result.exitCode === 0 ? gpuEntries(result.stdout) : undefined
      if (!gpus?.length) throw new Error(complaint(TOOL, result))
      const values = gpus.flatMap((gpu): TelemetryValue[] => {
        const index = String(gpu['gpu'])
        let series = known.get(index)
        if (!series) known.set(index, (series = new Map()))
        const subject = series.values().next().value?.subject ?? gpuSubject(identities.get(index) ?? { index, name: UNKNOWN, platform: 'amd' })
        return readGpu(gpu).map(([metric, value]) => {
          let found = series.get(metric.key)
          if (!found) series.set(metric.key, (found = gpuSeries(subject, metric)))
          return { series: found, value }
        })
      })
      return { ns, askedNs, values }
    },
  }
}
