import { AiperfError, type RunModel, type Target } from '@aiperf/core'
import { ask, type Answer } from './ask.js'

const RETRY_FOR_MS = 60_000
const RETRY_STATUS = new Set([409, 423, 429, 503])

export interface HookInput {
  model: RunModel
  targets: readonly Target[]
  headers: Record<string, string>
}

/** Empties the prefix cache of every server (`--reset-kv-cache`), with patience for servers that are busy. */
export async function resetKvCache(input: HookInput): Promise<void> {
  const { resetKvCache: hook } = input.model.endpoint
  if (!hook) return
  await Promise.all(
    origins(input.targets).map(async (origin) => {
      const url = new URL(hook.path, origin)
      const end = performance.now() + RETRY_FOR_MS
      for (let waitMs = 1000; ; waitMs = Math.min(8000, waitMs * 2)) {
        const answer = await post(input, url, hook.timeoutSeconds).catch((error: Error) => error)
        if (!(answer instanceof Error) && answer.status < 300) return
        const passes = answer instanceof Error || RETRY_STATUS.has(answer.status)
        if (!passes || performance.now() + waitMs > end)
          throw new AiperfError('E_SERVER', `the prefix cache could not be emptied: POST ${url.href} ${words(answer)}`, {
            hint: 'start the server with that route enabled, name another with --reset-kv-cache-path, or leave --reset-kv-cache out',
          })
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }),
  )
}

/** Starts or stops the profiler of every server (`--server-profiler`). */
export async function serverProfiler(input: HookInput, which: 'start' | 'stop'): Promise<void> {
  const { serverProfiler: hook } = input.model.endpoint
  if (!hook) return
  await Promise.all(
    origins(input.targets).map(async (origin) => {
      const url = new URL(which === 'start' ? hook.startPath : hook.stopPath, origin)
      const answer = await post(input, url, hook.timeoutSeconds).catch((error: Error) => error)
      if (answer instanceof Error || answer.status >= 300)
        throw new AiperfError('E_SERVER', `the server's profiler did not ${which}: POST ${url.href} ${words(answer)}`, { hint: 'start the server with profiling enabled, or leave --server-profiler out' })
    }),
  )
}

function origins(targets: readonly Target[]): string[] {
  return [...new Set(targets.map((t) => t.url.origin))]
}

function words(answer: Answer | Error): string {
  return answer instanceof Error ? `failed: ${answer.message}` : `answered ${answer.status}: ${answer.body.slice(0, 300)}`
}

function post(input: HookInput, url: URL, timeoutSeconds: number): Promise<Answer> {
  const { tls, ipFamily } = input.model.endpoint
  return ask(url, { method: 'POST', headers: input.headers, body: new Uint8Array(0), timeoutMs: timeoutSeconds * 1000, tls, family: ipFamily })
}
