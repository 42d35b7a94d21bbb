import type { Adaptation, Adaptive, JsonObject, WindowStats } from '@aiperf/core'

export interface Sla { metric: string; stat: string; op: 'lt' | 'le' | 'gt' | 'ge'; threshold: number }

export interface SearchSettings {
  variable: Adaptive['variable']
  min: number
  max: number
  windowNs: number
  sustainNs: number
  minCompleted: number
  slas: readonly Sla[]
  /** The next value to try, given the room that the objectives left (0: at the threshold, 1: far from it). */
  step(value: number, margin: number): number
  /** Called with every new value, and the time from which it holds. */
  apply?(value: number, fromNs: number): void
}

type Judgement = { verdict: 'pass' | 'fail' | 'open'; margin: number; objectives: JsonObject[] }

/**
 * Raises a value window by window until an objective is missed (discover), then holds the last value that met them all
 * (sustain). While it is held, one step down is allowed after each good window, and begins the time to hold anew.
 */
export function slaSearch(settings: SearchSettings): Adaptive {
  let value = settings.min
  /** Values that passed, ascending. */
  const good: number[] = []
  let firstFailing: number | undefined
  let sustainFromNs: number | undefined
  let mayRecover = true
  let outcome: Adaptation['stop'] | undefined
  let windows = 0

  function move(to: number, window: WindowStats): Pick<Adaptation, 'value' | 'countFromNs'> {
    value = to
    settings.apply?.(to, window.endNs)
    return { value: to, countFromNs: window.endNs }
  }

  function decide(window: WindowStats, { verdict, margin }: Judgement): [decision: string, Omit<Adaptation, 'event'>] {
    if (verdict === 'open') return ['wait', {}]
    if (sustainFromNs !== undefined) return sustain(window, verdict)
    if (verdict === 'pass') {
      good.push(value)
      if (value >= settings.max) return ['limit not found up to the maximum', { stop: 'incomplete' }]
      return ['step up', move(Math.min(settings.max, settings.step(value, margin)), window)]
    }
    firstFailing = value
    const last = good.at(-1)
    if (last === undefined) return ['the first value fails', { stop: 'failed' }]
    sustainFromNs = window.endNs
    return ['hold the last good value', move(last, window)]
  }

  function sustain(window: WindowStats, verdict: 'pass' | 'fail'): [string, Omit<Adaptation, 'event'>] {
    if (verdict === 'pass') {
      mayRecover = true
      return window.endNs - sustainFromNs! >= settings.sustainNs ? ['held', { stop: 'complete' }] : ['hold', {}]
    }
    good.pop()
    const lower = good.at(-1)
    if (!mayRecover || lower === undefined) return ['cannot be held', { stop: 'failed' }]
    mayRecover = false
    sustainFromNs = window.endNs
    return ['step down', move(lower, window)]
  }

  return {
    variable: settings.variable,
    initial: settings.min,
    windowNs: settings.windowNs,
    assess(window) {
      windows++
      const state = sustainFromNs === undefined ? 'discover' : 'sustain'
      const tried = value
      const judgement = judge(window, settings)
      const [decision, adaptation] = decide(window, judgement)
      outcome = adaptation.stop ?? outcome
      return {
        ...adaptation,
        event: {
          window: window.index,
          startNs: window.startNs,
          endNs: window.endNs,
          state,
          value: tried,
          completed: window.completed,
          errors: window.errors,
          verdict: judgement.verdict,
          margin: judgement.margin,
          objectives: judgement.objectives,
          decision,
          nextValue: value,
        },
      }
    },
    summary: () => ({
      controlVariable: settings.variable,
      outcome: outcome ?? 'interrupted',
      state: sustainFromNs === undefined ? 'discover' : 'sustain',
      value,
      lastGood: good.at(-1) ?? null,
      firstFailing: firstFailing ?? null,
      windows,
    }),
  }
}

/** A window without a success but with errors fails; one with too few requests says nothing; a value that is absent fails. */
function judge(window: WindowStats, { minCompleted, slas }: SearchSettings): Judgement {
  const successes = window.completed - window.errors
  if (successes <= 0 && window.errors > 0) return { verdict: 'fail', margin: 0, objectives: [] }
  if (successes < minCompleted) return { verdict: 'open', margin: 0, objectives: [] }
  let margin = 1
  let pass = true
  const objectives = slas.map(({ metric, stat, op, threshold }) => {
    const value = window.value(metric, stat)
    const met = value !== undefined && meets(value, op, threshold)
    if (value !== undefined && threshold !== 0) margin = Math.min(margin, ((op === 'lt' || op === 'le' ? 1 : -1) * (threshold - value)) / Math.abs(threshold))
    pass &&= met
    return { metric, stat, op, threshold, value: value ?? null, met }
  })
  return { verdict: pass ? 'pass' : 'fail', margin: Math.max(0, margin), objectives }
}

function meets(value: number, op: Sla['op'], threshold: number): boolean {
  if (op === 'lt') return value < threshold
  if (op === 'le') return value <= threshold
  return op === 'gt' ? value > threshold : value >= threshold
}
