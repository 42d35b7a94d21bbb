import type { Arrival, ArrivalPattern, LoadPlan, PhaseRequest, PlanDataset, Ramp, Steps, TimingContext, TimingMode } from '@aiperf/core'
import type { TimingModeCase } from '../cases.js'
import { broken, ensure, group, shown, type Group } from '../checks.js'
import { frozen, pure } from '../pure.js'
import { FALLBACK_PATTERN, FALLBACK_RAMP } from '../sample/curves.js'
import { randomOf, type Subject } from '../subject.js'

const ARRIVALS = 500
/** A small trace: two turns in every third session. */
const TRACE: readonly (readonly (number | undefined)[])[] = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? [i * 100, i * 100 + 40] : [i * 100]))
const NEXT_TURN = ['after-reply', 'takes-arrival', 'schedule', 'every']

export function timingModeSuite(subject: Subject<'timing_mode'>, given: TimingModeCase): Group[] {
  const settings = given.settings ?? [given.options ?? {}]
  const sessions = given.dataset ?? TRACE
  const dataset: PlanDataset = { size: sessions.length, turns: (s) => sessions[s]!.length, timestampMs: (s, t) => sessions[s]?.[t], id: (s) => `session-${s}` }
  const phase: PhaseRequest = { name: 'profiling', kind: 'profiling', requests: 1000 }

  /** As the host does: what `uses` named is there, and nothing else. */
  async function prepare(mode: TimingMode<never>, options: object): Promise<Omit<TimingContext<never>, 'random'>> {
    const uses = (mode as TimingMode<object>).uses?.(options) ?? {}
    const patterns = new Map(await Promise.all((uses.arrival_pattern ?? []).map(async (name) => [name, await other<ArrivalPattern>('arrival_pattern', name, FALLBACK_PATTERN)] as const)))
    const ramps = new Map(await Promise.all((uses.ramp ?? []).map(async (name) => [name, await other<Ramp>('ramp', name, FALLBACK_RAMP)] as const)))
    return {
      options: frozen(options) as never, phase: frozen({ ...phase }), dataset, sampler: { at: (n) => n % dataset.size },
      pattern: (name) => patterns.get(name) ?? broken(`plan asks for the arrival pattern ${name}, which \`uses\` did not name`),
      ramp: (name) => ramps.get(name) ?? broken(`plan asks for the ramp ${name}, which \`uses\` did not name`),
    }
  }
  /** A pattern or ramp of the same package; one that stands for those of other packages otherwise. */
  async function other<T>(kind: 'arrival_pattern' | 'ramp', name: string, fallback: T): Promise<T> {
    const known = subject.host.index.contributions.some((c) => c.kind === kind && c.name === name)
    return known ? ((await subject.host.activate(kind, name, undefined)) as T) : fallback
  }
  async function planned(options: object, seed = 1): Promise<LoadPlan> {
    const mode = (await subject.create(undefined)) as TimingMode<never>
    const context = await prepare(mode, options)
    const random = randomOf(seed)
    return pure('plan', () => mode.plan({ ...context, random: (name) => random(`${phase.name}.${name}`) }))
  }

  return settings.map((setting) => {
    const options = subject.options(setting)
    return group(`plan with ${shown(setting)}`, {
      'its own check finds nothing wrong': async () => {
        const mode = (await subject.create(undefined)) as TimingMode<object>
        const problems = mode.check?.(frozen(options), phase) ?? []
        ensure(problems.length === 0, `check complains: ${problems.map((p) => p.message).join('; ')}`)
      },
      'the plan is one that the engine can execute': async () => {
        const plan = await planned(options)
        ensure(plan.arrivals?.kind === 'asap' || plan.arrivals?.kind === 'timed', `arrivals are ${shown(plan.arrivals)}`)
        ensure(NEXT_TURN.includes(plan.nextTurn?.kind), `nextTurn is ${shown(plan.nextTurn)}`)
        ensure(plan.sessions === 'sample' || plan.sessions === 'each-once', `sessions is ${shown(plan.sessions)}`)
        ensure(plan.overload === 'queue' || plan.overload === 'skip', `overload is ${shown(plan.overload)}`)
        for (const name of ['sessions', 'prefill'] as const) stepsHold(name, plan.limits?.[name])
        if (plan.arrivals.kind === 'asap') ensure(plan.limits.sessions !== undefined, 'arrivals as slots are free need a limit of sessions: without one nothing ends the first instant')
      },
      'arrivals come in order and name what there is': async () => {
        const plan = await planned(options)
        let last = 0
        for (const arrival of pure('arrivals.next', () => taken(plan))) {
          ensure(Number.isFinite(arrival.dueNs) && arrival.dueNs >= last, `an arrival is due at ${arrival.dueNs} ns after one at ${last} ns`)
          last = arrival.dueNs
          if (arrival.pause) {
            ensure(plan.adapt, 'an arrival is a pause in a plan without adapt')
            continue
          }
          if (plan.sessions === 'each-once') ensure(arrival.session !== undefined, 'sessions are each-once, but an arrival names none')
          if (arrival.session === undefined) continue
          ensure(Number.isInteger(arrival.session) && arrival.session >= 0 && arrival.session < dataset.size, `an arrival names session ${arrival.session} of ${dataset.size}`)
          const turns = dataset.turns(arrival.session)
          ensure((arrival.firstTurn ?? 0) + (arrival.turns ?? 1) <= turns, `an arrival plays turns ${arrival.firstTurn ?? 0}…${(arrival.firstTurn ?? 0) + (arrival.turns ?? 1) - 1} of a session of ${turns}`)
        }
      },
      'the same seed gives the same plan': async () => {
        const [one, two] = [await planned(options), await planned(options)]
        ensure(JSON.stringify(taken(one)) === JSON.stringify(taken(two)), 'two plans of one seed differ: draw random numbers from context.random only')
      },
      'plans do not share anything': async () => {
        const alone = taken(await planned(options))
        const [one, two] = [await planned(options), await planned(options)]
        const both: Arrival[][] = [[], []]
        for (let i = 0; i < alone.length; i++) [one, two].forEach((plan, k) => both[k]!.push(...taken(plan, 1)))
        for (const arrivals of both) ensure(JSON.stringify(arrivals) === JSON.stringify(alone), 'a plan changes when another one is drawn beside it: keep state within plan(), not in the module')
      },
      'the offered rate is a rate': async () => {
        const { offeredRate } = await planned(options)
        for (const atNs of [0, 1e9, 60e9]) {
          const rate = offeredRate?.(atNs)
          ensure(rate === undefined || (Number.isFinite(rate) && rate >= 0), `offeredRate(${atNs}) is ${rate}`)
        }
      },
    })
  })
}

function taken(plan: LoadPlan, count = ARRIVALS): Arrival[] {
  const arrivals: Arrival[] = []
  while (plan.arrivals.kind === 'timed' && arrivals.length < count) {
    const arrival = plan.arrivals.next()
    if (!arrival) break
    arrivals.push({ ...arrival })
  }
  return arrivals
}

function stepsHold(name: string, steps: Steps | undefined): void {
  if (steps === undefined) return
  ensure(steps.length > 0 && steps[0]!.atNs === 0, `limits.${name} must begin at 0, got ${shown(steps.slice(0, 3))}`)
  steps.forEach(({ atNs, value }, i) => {
    ensure(Number.isFinite(value) && value >= 0 && Number.isInteger(value), `limits.${name} is ${value} at ${atNs} ns: a limit is a whole number`)
    ensure(i === 0 || atNs > steps[i - 1]!.atNs, `limits.${name} does not ascend at step ${i}`)
  })
}
