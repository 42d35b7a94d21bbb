import { defineTimingMode, type Adaptive, type Arrivals, type NextTurn, type PhaseRequest, type Problem, type Steps, type TimingContext } from '@aiperf/core'
import type { z } from 'zod'
import type schema from './adaptive-scale.options.js'
import { checkLimits, limitRamps, planLimits } from './limits.js'
import { RateCurve } from './rate-curve.js'
import { arrivals, checkRate, patternName, rateCurve } from './request-rate.js'
import { LOOK_AHEAD_NS, ScaledUsers } from './scaled-users.js'
import { slaSearch } from './sla-search.js'

type Options = z.output<typeof schema>
type Control = Options['adaptiveScale']['controlVariable']

const VARIABLES: Record<Control, Adaptive['variable']> = { concurrency: 'sessions', prefill_concurrency: 'prefill', request_rate: 'rate', users: 'users' }

/** Raises one variable of a closed-loop, open-loop or user-centric load until an objective is missed, then holds it. */
export default defineTimingMode<typeof schema>({
  uses: (o) => ({
    ...(o.rate !== undefined && o.users === undefined ? { arrival_pattern: [patternName(o)] } : {}),
    ramp: [...limitRamps(o), ...(o.rateRamp ? [o.rateRamp.strategy] : [])],
  }),
  check,
  plan(context) {
    const { options } = context
    const { controlVariable, ...scale } = options.adaptiveScale
    const load = loadOf(context)
    const limits = planLimits(context)
    const held: Steps = [{ atNs: 0, value: scale.min }]
    const whole = controlVariable !== 'request_rate'
    return {
      arrivals: load.arrivals,
      nextTurn: load.nextTurn,
      limits: {
        ...limits,
        ...(controlVariable === 'concurrency' ? { sessions: held } : {}),
        ...(controlVariable === 'prefill_concurrency' ? { prefill: held } : {}),
      },
      sessions: 'sample',
      overload: options.overload,
      ...(load.offeredRate ? { offeredRate: load.offeredRate } : {}),
      adapt: slaSearch({
        variable: VARIABLES[controlVariable],
        min: scale.min,
        max: scale.max ?? phaseValue(options) ?? scale.min,
        windowNs: scale.assessmentWindow * 1e9,
        sustainNs: scale.sustainDuration * 1e9,
        minCompleted: scale.minCompletedRequests,
        slas: options.sla,
        step(value, margin) {
          const step =
            scale.stepPolicy === 'sla_margin'
              ? scale.baseStep * Math.min(scale.maxStepMultiplier, Math.max(1, Math.floor(margin * 4)))
              : Math.max(1, Math.ceil((value * scale.stepPercent) / 100))
          return whole ? Math.round(value + step) : value + step
        },
        ...(load.apply ? { apply: load.apply } : {}),
      }),
    }
  },
})

interface Load {
  arrivals: Arrivals
  nextTurn: NextTurn
  offeredRate?(atNs: number): number
  apply?(value: number, fromNs: number): void
}

function loadOf(context: TimingContext<Options>): Load {
  const { options, dataset, sampler } = context
  const { controlVariable, min } = options.adaptiveScale
  if (options.rate === undefined) return { arrivals: { kind: 'asap' }, nextTurn: { kind: 'after-reply' } }
  if (options.users !== undefined) {
    const slotNs = 1e9 / options.rate
    const scaled = new ScaledUsers(options.users, slotNs, controlVariable === 'users' ? min : options.users, sampler, dataset)
    return {
      arrivals: { kind: 'timed', next: () => scaled.next() },
      nextTurn: { kind: 'every', gapNs: Math.round(options.users * slotNs) },
      offeredRate: () => (scaled.active / scaled.most) * (1e9 / slotNs),
      ...(controlVariable === 'users' ? { apply: (value: number) => void (scaled.active = value) } : {}),
    }
  }
  const curve = controlVariable === 'request_rate' ? new RateCurve([{ seconds: 0, rate: min }]) : rateCurve(context)
  return {
    arrivals: arrivals(context, curve, LOOK_AHEAD_NS),
    nextTurn: { kind: 'takes-arrival' },
    offeredRate: (atNs) => curve.at(atNs / 1e9),
    ...(controlVariable === 'request_rate' ? { apply: (value: number, fromNs: number) => curve.change(fromNs / 1e9, value) } : {}),
  }
}

/** The phase's own value of the control variable: the highest one tried. */
function phaseValue(o: Options): number | undefined {
  return { concurrency: o.concurrency, prefill_concurrency: o.prefillConcurrency, request_rate: o.rate, users: o.users }[o.adaptiveScale.controlVariable]
}

function check(o: Options, phase: PhaseRequest): Problem[] {
  const problems = checkLimits(o, phase)
  const { controlVariable: control, min, max, sustainDuration } = o.adaptiveScale
  const problem = (keys: string[], message: string, hint: string) => problems.push({ flags: keys.map((key) => `phases.${phase.name}.${key}`), message, hint })
  if (o.users !== undefined && o.rate === undefined) problem(['users', 'rate'], 'users need a rate', 'give rate: requests per second of all users')
  if (o.rate !== undefined && o.users === undefined) problems.push(...checkRate(o, phase))
  if (phase.durationNs === undefined) problem(['duration'], 'adaptiveScale needs a duration: the time the search may take', 'give duration')
  else if (sustainDuration * 1e9 >= phase.durationNs)
    problem(['adaptiveScale.sustainDuration', 'duration'], `sustainDuration ${sustainDuration} s leaves no time in the duration to search`, 'raise duration')
  const key = { concurrency: 'concurrency', prefill_concurrency: 'prefillConcurrency', request_rate: 'rate', users: 'users' }[control]
  const own = phaseValue(o)
  const highest = max ?? own
  if (own === undefined && (control === 'request_rate' || control === 'users'))
    problem([key, 'adaptiveScale.controlVariable'], `controlVariable ${control} needs ${key} in the phase`, `give ${key}`)
  else if (highest === undefined) problem([key, 'adaptiveScale.max'], `nothing says how far ${control} may go`, `give ${key} or adaptiveScale.max`)
  else if (highest < min) problem(['adaptiveScale.min', 'adaptiveScale.max'], `min ${min} is above the highest value ${highest}`, 'lower min')
  if (control === 'users' && max !== undefined && own !== undefined && max > own)
    problem(['adaptiveScale.max', 'users'], `max ${max} is above users ${own}`, 'raise users')
  if (control !== 'request_rate' && (!Number.isInteger(min) || (max !== undefined && !Number.isInteger(max))))
    problem(['adaptiveScale.min', 'adaptiveScale.max'], `${control} is a whole number`, 'give whole numbers')
  if (control === 'prefill_concurrency' && o.concurrency === undefined) problem(['concurrency'], 'controlVariable prefill_concurrency needs concurrency', 'give concurrency')
  const ramp = { concurrency: o.concurrencyRamp, prefill_concurrency: o.prefillRamp, request_rate: o.rateRamp, users: undefined }[control]
  if (ramp) problem(['adaptiveScale.controlVariable'], `${control} is what adaptiveScale changes; it cannot have a ramp besides`, 'leave the ramp out')
  return problems
}
