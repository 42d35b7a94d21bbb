import { createRandom, type DatasetSampler, type JsonObject, type LoadPlan, type PhaseModel, type PhaseRequest, type PlanDataset, type RunModel, type TimingMode } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import type { DatasetSizes } from './messages.js'

/** The phase as its planner sees it. */
function phaseRequest(phase: PhaseModel): PhaseRequest {
  return {
    name: phase.name,
    kind: phase.kind,
    ...(phase.requests === undefined ? {} : { requests: phase.requests }),
    ...(phase.sessions === undefined ? {} : { sessions: phase.sessions }),
    ...(phase.durationSeconds === undefined ? {} : { durationNs: phase.durationSeconds * 1e9 }),
  }
}

/**
 * Which session the n-th new session of a phase plays. Warm-up has a cursor, a random stream and, where they could be
 * made, entries of its own, so that adding a warm-up changes nothing of what is measured.
 */
async function createSampler(host: Host, model: RunModel, phase: PhaseModel, sizes: DatasetSizes, seed: number): Promise<DatasetSampler> {
  const own = phase.kind === 'warmup' && sizes.warmup > 0
  const size = own ? sizes.warmup : sizes.profiling
  const random = (name: string) => createRandom(seed, `${phase.kind === 'warmup' ? 'warmup' : 'profiling'}:${phase.name}:${name}`)
  const sampler = await host.activate('dataset_sampler', model.dataset.sampling, { size, random })
  if (own) return { at: (n) => sizes.profiling + sampler.at(n) }
  // A file has no spare entries: warm-up reads it from its end, the part that profiling reaches last.
  if (phase.kind === 'warmup') return { at: (n) => size - 1 - sampler.at(n) }
  return sampler
}

/** A phase that asks the problems of a benchmark and says nothing of its end asks each of them once. */
function played(phase: PhaseModel, model: RunModel, sizes: DatasetSizes): PhaseModel {
  const open = phase.requests === undefined && phase.sessions === undefined && phase.durationSeconds === undefined
  return model.accuracy && phase.kind === 'profiling' && open ? { ...phase, sessions: sizes.profiling } : phase
}

/** Makes the load plan of a phase: the same plan in whatever thread. */
export async function createPlan(
  host: Host,
  model: RunModel,
  given: PhaseModel,
  dataset: PlanDataset,
  sizes: DatasetSizes,
  seed: number,
): Promise<{ plan: LoadPlan; sampler: DatasetSampler; phase: PhaseModel }> {
  const phase = played(given, model, sizes)
  const mode = (await host.activate('timing_mode', phase.mode, undefined)) as TimingMode<JsonObject>
  const sampler = await createSampler(host, model, phase, sizes, seed)
  const uses = mode.uses?.(phase.options) ?? {}
  const patterns = new Map(await Promise.all((uses.arrival_pattern ?? []).map(async (name) => [name, await host.activate('arrival_pattern', name, undefined)] as const)))
  const ramps = new Map(await Promise.all((uses.ramp ?? []).map(async (name) => [name, await host.activate('ramp', name, undefined)] as const)))
  const plan = mode.plan({
    options: phase.options,
    phase: phaseRequest(phase),
    dataset,
    sampler,
    random: (name) => createRandom(seed, `${phase.name}:${name}`),
    pattern: (name) => patterns.get(name)!,
    ramp: (name) => ramps.get(name)!,
  })
  return { plan, sampler, phase }
}
