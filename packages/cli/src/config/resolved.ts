import { ConfigurationError, type Overlay } from '@aiperf/core'
import { createHost, type PluginIndex } from '@aiperf/core/host'
import { allProblems, buildTable, resolveRun, type ResolveInput } from '@aiperf/core/options'
import type { Plan } from '@aiperf/engine/search'
import { loadConfig } from '../profile/config.js'
import { codeOf } from '../report-error.js'

/** What a config file comes to: the plan of its runs, and what a person should know. Throws every problem at once. */
export async function planOfFile(index: PluginIndex, file: string): Promise<{ plan: Plan; notices: string[] }> {
  const notices: string[] = []
  let config: ReturnType<typeof loadConfig> | undefined
  const input: ResolveInput = { index, table: buildTable(index), argv: ['--config', file], env: process.env, sweeps: true, loadConfig: (asked) => (config ??= loadConfig(asked, () => {})) }
  const resolved = await resolveRun(input)
  const { model, explicit, orchestration, notices: found } = resolved
  const all = await allProblems(createHost(index), resolved)
  if (!model || all.length > 0) throw new ConfigurationError(all, codeOf(all))
  notices.push(...found)
  const { makePlan } = await import('@aiperf/engine/search')
  const one = { points: { kind: 'one' as const }, repeats: { runs: 1, cooldownSeconds: 0, confidenceLevel: 0.95, warmupOnce: true, varySeed: false }, order: 'repeated' as const, shuffled: false, cooldownSeconds: 0, baseSeed: model.runtime.seed, sameSeed: false, constraints: [], failOn: 'any' as const, pooling: 'mean' as const, table: true, resume: false }
  const plan = await makePlan({ index, orchestration: orchestration ?? one, base: { model, explicit }, resolveAt: (overlay: Overlay) => resolveRun({ ...input, overlay }) })
  return { plan, notices: [...notices, ...plan.notices] }
}
