import { defineTelemetrySource, type OptionsSchema, type StreamedTarget, type TelemetryContext, type TelemetrySample, type TelemetryValue } from '@aiperf/core'
import { judgeGpus } from './gpu/judge.js'
import { liveGpus } from './gpu/live.js'
import type { GpuOptions } from './gpu/options.js'
import { prepareQuery, type SmiQuery } from './nvidia-smi/query.js'
import { complaint, runTool } from './gpu/tool.js'

type Context = TelemetryContext<GpuOptions>
const TOOL = 'nvidia-smi'
const LEAST_PATIENCE_MS = 3000

/**
 * GPUs of this machine by nvidia-smi, which keeps running and prints a line per GPU and interval (`-lms`). Where that
 * prints nothing, the tool is called once per sample instead.
 */
export default defineTelemetrySource<OptionsSchema<GpuOptions>>({
  judge: judgeGpus,
  create: (context: Context) => ({
    live: liveGpus,
    async discover(signal) {
      const query = await prepareQuery(signal, context.options.reachabilitySeconds * 1000)
      if (typeof query !== 'string') return [target(query, context)]
      context.log('info', `No GPU telemetry: ${query}.`)
      return []
    },
  }),
})

function target(query: SmiQuery, { options, now }: Context): StreamedTarget {
  const intervalMs = options.intervalSeconds * 1000
  const patienceMs = Math.max(LEAST_PATIENCE_MS, 4 * query.tookMs + intervalMs)
  let isSilent = false
  return {
    name: TOOL,
    asked: true,
    intervalMs,
    async follow(push, signal) {
      const rounds = roundsOf(query, push, now)
      if (isSilent) return askAgainAndAgain(query, rounds, intervalMs, options.reachabilitySeconds * 1000, signal)
      const { execa } = await import('execa')
      const silence = new AbortController()
      const timer = setTimeout(() => silence.abort(), patienceMs)
      const running = execa(TOOL, [...query.args, '-lms', String(Math.max(1, Math.round(intervalMs)))], {
        reject: false, cancelSignal: AbortSignal.any([signal, silence.signal]), forceKillAfterDelay: 500, stdin: 'ignore', buffer: false,
      })
      try {
        for await (const line of running) if (rounds.line(String(line))) clearTimeout(timer)
      } finally {
        clearTimeout(timer)
      }
      const { exitCode } = await running
      signal.throwIfAborted()
      if (silence.signal.aborted) {
        isSilent = true
        throw new Error(`${TOOL} -lms prints nothing; it is called once per sample`)
      }
      throw new Error(exitCode === undefined ? `${TOOL} was ended` : `${TOOL} ended with code ${exitCode}`)
    },
  }
}

/** Puts the lines of one round, one per GPU, together: a sample holds all GPUs. */
function roundsOf(query: SmiQuery, push: (sample: TelemetrySample) => void, now: () => number) {
  let seen = new Set<string>()
  let values: TelemetryValue[] = []
  const flush = (ns: number): void => {
    if (values.length > 0) push({ ns, values })
    seen = new Set()
    values = []
  }
  return {
    /** True when the line was a GPU's. */
    line(line: string): boolean {
      const row = query.read(line)
      if (!row) return false
      const ns = now()
      if (seen.has(row.index)) flush(ns)
      seen.add(row.index)
      values.push(...row.values)
      if (seen.size >= query.gpus) flush(ns)
      return true
    },
  }
}

async function askAgainAndAgain(query: SmiQuery, rounds: ReturnType<typeof roundsOf>, intervalMs: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const asked = performance.now()
    const result = await runTool(TOOL, query.args, signal, timeoutMs)
    const lines = result.stdout.split('\n').filter((line) => rounds.line(line))
    if (lines.length === 0) throw new Error(complaint(TOOL, result))
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, asked + intervalMs - performance.now())))
  }
}
