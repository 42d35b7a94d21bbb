import { AiperfError, type Endpoint, type RunModel, type Target } from '@aiperf/core'
import { ask } from './ask.js'

const PROBE_LIMIT_MS = 10_000

export interface ReadyInput {
  model: RunModel
  endpoint: Endpoint
  targets: readonly Target[]
  headers: Record<string, string>
  log(message: string): void
  signal: AbortSignal
}

/**
 * Waits until every server can answer for every model, with one deadline for all. Unreachable and 5xx mean "not yet";
 * 4xx mean that waiting will not help, and end the run with the server's own words.
 */
export async function waitForModels(input: ReadyInput): Promise<void> {
  const { model, targets } = input
  const { timeoutSeconds, intervalSeconds } = model.endpoint.waitForModel
  if (timeoutSeconds <= 0) return
  const deadline = performance.now() + timeoutSeconds * 1000
  for (const target of targets)
    for (const name of model.models) {
      let said = ''
      for (;;) {
        const leftMs = deadline - performance.now()
        const state = await probe(input, target, name, Math.min(PROBE_LIMIT_MS, leftMs))
        if (state.kind === 'ready') break
        if (state.kind === 'wrong')
          throw new AiperfError('E_SERVER', `${target.url.href} cannot serve ${name}: ${state.reason}`, { hint: 'correct --model, --url, --endpoint-type or the credentials; waiting would not help' })
        if (state.reason !== said) input.log(`waiting for ${name} at ${target.url.origin}: ${state.reason}`)
        said = state.reason
        if (performance.now() + intervalSeconds * 1000 > deadline || input.signal.aborted)
          throw new AiperfError('E_SERVER', `${name} at ${target.url.origin} was not ready after ${timeoutSeconds} s: ${state.reason}`, { hint: 'start the server, or give it longer with --wait-for-model-timeout' })
        await new Promise((resolve) => setTimeout(resolve, intervalSeconds * 1000))
      }
    }
}

type State = { kind: 'ready' } | { kind: 'waiting' | 'wrong'; reason: string }

async function probe(input: ReadyInput, target: Target, name: string, limitMs: number): Promise<State> {
  const { mode } = input.model.endpoint.waitForModel
  if (mode !== 'inference') {
    const listed = await probeList(input, target, name, limitMs)
    if (listed.kind !== 'ready' || mode === 'models') return listed
  }
  return probeInference(input, target, name, limitMs)
}

async function probeList(input: ReadyInput, target: Target, name: string, limitMs: number): Promise<State> {
  const answer = await attempt(input, new URL('/v1/models', target.url), 'GET', undefined, limitMs)
  if ('kind' in answer) return answer
  if (answer.status === 404) {
    const root = await attempt(input, new URL('/', target.url), 'GET', undefined, limitMs)
    return 'kind' in root ? root : root.status < 300 ? { kind: 'ready' } : { kind: 'waiting', reason: `it has no /v1/models, and answers ${root.status} at its root` }
  }
  if (answer.status >= 300) return judged(answer)
  try {
    const { data } = JSON.parse(answer.body) as { data?: { id?: string }[] }
    if (data?.some((m) => m.id === name)) return { kind: 'ready' }
    return { kind: 'waiting', reason: `it offers ${data?.map((m) => m.id).join(', ') || 'no model'}` }
  } catch {
    return { kind: 'waiting', reason: 'its /v1/models is no JSON' }
  }
}

async function probeInference(input: ReadyInput, target: Target, name: string, limitMs: number): Promise<State> {
  const wire = input.endpoint.encode({ turns: [{ texts: [{ contents: ['Lo'] }], maxTokens: 1, model: name }], replies: [], session: {} })
  const answer = await attempt(input, target.url, wire.method, wire.body, limitMs, { 'content-type': wire.contentType, accept: wire.accept, ...wire.headers })
  if ('kind' in answer) return answer
  return answer.status < 300 ? { kind: 'ready' } : judged(answer)
}

function judged(answer: { status: number; body: string }): State {
  const reason = `it answers ${answer.status}: ${answer.body.slice(0, 300)}`
  // Too early and too many requests are 4xx that pass.
  const passes = answer.status >= 500 || [408, 425, 429].includes(answer.status)
  return { kind: passes ? 'waiting' : 'wrong', reason }
}

async function attempt(input: ReadyInput, url: URL, method: string, body: Uint8Array | undefined, limitMs: number, headers: Record<string, string> = {}) {
  try {
    return await ask(url, { method, headers: { ...headers, ...input.headers }, ...(body ? { body } : {}), timeoutMs: limitMs, tls: input.model.endpoint.tls, family: input.model.endpoint.ipFamily })
  } catch (error) {
    return { kind: 'waiting', reason: (error as Error).message || (error as { code?: string }).code || 'no answer' } satisfies State
  }
}
