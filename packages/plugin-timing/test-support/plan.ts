import {
  createRandom,
  type Arrival,
  type ArrivalPattern,
  type LoadPlan,
  type PhaseRequest,
  type PlanDataset,
  type Problem,
  type Ramp,
  type TimingContext,
  type TimingMode,
} from '@aiperf/core'
import adaptiveScale from '../src/adaptive-scale.js'
import adaptiveScaleOptions from '../src/adaptive-scale.options.js'
import burst from '../src/arrivals/concurrency-burst.js'
import constant from '../src/arrivals/constant.js'
import gamma from '../src/arrivals/gamma.js'
import poisson from '../src/arrivals/poisson.js'
import concurrency from '../src/concurrency.js'
import concurrencyOptions from '../src/concurrency.options.js'
import fixedSchedule from '../src/fixed-schedule.js'
import fixedScheduleOptions from '../src/fixed-schedule.options.js'
import exponentialRamp from '../src/ramps/exponential.js'
import linearRamp from '../src/ramps/linear.js'
import poissonRamp from '../src/ramps/poisson.js'
import requestRate from '../src/request-rate.js'
import requestRateOptions from '../src/request-rate.options.js'
import userCentric from '../src/user-centric.js'
import userCentricOptions from '../src/user-centric.options.js'

interface Schema { parse(value: unknown): unknown }
const MODES = {
  concurrency: [concurrency, concurrencyOptions],
  request_rate: [requestRate, requestRateOptions],
  fixed_schedule: [fixedSchedule, fixedScheduleOptions],
  user_centric: [userCentric, userCentricOptions],
  adaptive_scale: [adaptiveScale, adaptiveScaleOptions],
} as const
export type ModeName = keyof typeof MODES

const PATTERNS = { constant, poisson, gamma, concurrency_burst: burst }
export const RAMPS = { linear: linearRamp, exponential: exponentialRamp, poisson: poissonRamp }
const made = <T>(table: Record<string, { create(context: never): unknown }>, name: string): T => table[name]!.create(undefined as never) as T
export const patternOf = (name: string): ArrivalPattern => made(PATTERNS, name)
export const rampOf = (name: string): Ramp => made(RAMPS, name)

/** A dataset given by the time stamps of its sessions' turns; `undefined` is a turn without one. */
export const dataset = (sessions: readonly (readonly (number | undefined)[])[]): PlanDataset => ({
  size: sessions.length,
  turns: (s) => sessions[s]!.length,
  timestampMs: (s, t) => sessions[s]![t],
  id: (s) => `session-${s}`,
})
/** A dataset given by the number of turns of its sessions, without time stamps. */
export const turnsOf = (...turns: number[]): PlanDataset => dataset(turns.map((n) => Array.from({ length: n })))

export interface Given { options?: unknown; seed?: number; phase?: Partial<PhaseRequest>; dataset?: PlanDataset }

function prepare(mode: ModeName, given: Given) {
  const [contribution, schema] = MODES[mode]
  const phase: PhaseRequest = { name: 'profiling', kind: 'profiling', ...given.phase }
  const data = given.dataset ?? turnsOf(1)
  const options = (schema as Schema).parse(given.options ?? {})
  const it = contribution.create(undefined as never) as TimingMode<unknown>
  const used = it.uses?.(options) ?? {}
  const context: TimingContext<unknown> = {
    options,
    phase,
    dataset: data,
    sampler: { at: (n) => n % data.size },
    random: (name) => createRandom(given.seed ?? 1, `${phase.name}.${name}`),
    pattern: (name) => named(used.arrival_pattern, name, patternOf),
    ramp: (name) => named(used.ramp, name, rampOf),
  }
  return { it, options, phase, context }
}

/** As the host does: only what `uses` named is there. */
function named<T>(used: readonly string[] | undefined, name: string, find: (name: string) => T): T {
  if (!used?.includes(name)) throw new Error(`${name} was not named by uses`)
  return find(name)
}

export function plan(mode: ModeName, given: Given = {}): LoadPlan {
  const { it, context } = prepare(mode, given)
  return it.plan(context)
}

export function check(mode: ModeName, given: Given = {}): readonly Problem[] {
  const { it, options, phase } = prepare(mode, given)
  return it.check?.(options, phase) ?? []
}

/** The first `count` arrivals, or all there are. */
export function take(load: LoadPlan, count: number): Arrival[] {
  const { arrivals } = load
  if (arrivals.kind !== 'timed') throw new Error('the plan has no timed arrivals')
  const taken: Arrival[] = []
  while (taken.length < count) {
    const arrival = arrivals.next()
    if (!arrival) break
    taken.push(arrival)
  }
  return taken
}

/** All arrivals due before `seconds`. */
export function takeUntil(load: LoadPlan, seconds: number): Arrival[] {
  const { arrivals } = load
  if (arrivals.kind !== 'timed') throw new Error('the plan has no timed arrivals')
  const taken: Arrival[] = []
  for (let a = arrivals.next(); a && a.dueNs < seconds * 1e9; a = arrivals.next()) taken.push(a)
  return taken
}

export const seconds = (arrivals: readonly Arrival[]): number[] => arrivals.map((a) => a.dueNs / 1e9)

/** Largest distance between the sample's distribution and `law`, times √n: above 1.63 one sample in a hundred. */
export function kolmogorov(sample: readonly number[], law: (x: number) => number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  const n = sorted.length
  let distance = 0
  sorted.forEach((x, i) => {
    const p = law(x)
    distance = Math.max(distance, p - i / n, (i + 1) / n - p)
  })
  return distance * Math.sqrt(n)
}
