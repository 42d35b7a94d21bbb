import { ConfigurationError, defineTimingMode, type Arrival, type PhaseRequest, type Problem } from '@aiperf/core'
import type { z } from 'zod'
import type schema from './fixed-schedule.options.js'
import { checkLimits, limitRamps, planLimits } from './limits.js'
import { selectSessions, type Played } from './trace-window.js'

type Options = z.output<typeof schema>

/** Trace replay: the first turn of every session at its time stamp, later ones at theirs or after their delay. */
export default defineTimingMode<typeof schema>({
  uses: (o) => ({ ramp: limitRamps(o) }),
  check,
  plan(context) {
    const { options, dataset } = context
    const { played, undated, stamps } = selectSessions(dataset, options)
    if (undated.length > 0)
      throw new ConfigurationError(
        [
          {
            flags: ['--fixed-schedule'],
            message: `${undated.length} of ${dataset.size} sessions have no timestamp on their first turn: ${list(undated.map((s) => dataset.id(s)))}`,
            hint: 'give every first turn a timestamp, or choose another timing mode (--no-fixed-schedule)',
          },
        ],
        'E_DATASET',
      )
    if (played.length === 0)
      throw new ConfigurationError(
        [
          {
            flags: ['--fixed-schedule-start-offset', '--fixed-schedule-end-offset'],
            message: `no session of the dataset (${dataset.size}) has a timestamp in the window to replay`,
            hint: 'widen the window (--fixed-schedule-start-offset, --fixed-schedule-end-offset)',
          },
        ],
        'E_DATASET',
      )
    const automatic = options.autoOffset ?? options.startOffset === undefined
    const zeroMs = automatic ? played[0]!.timestampMs : (options.startOffset ?? 0)
    return {
      arrivals: { kind: 'timed', next: replay(played, zeroMs, (s) => dataset.turns(s)) },
      nextTurn: { kind: 'schedule', zeroMs },
      limits: planLimits(context),
      sessions: 'each-once',
      overload: options.overload,
      totals: { requests: played.reduce((sum, { turns }) => sum + turns, 0), sessions: played.length },
      offeredRate: (atNs) => recordedRate(stamps, atNs / 1e6 + zeroMs),
    }
  },
})

function replay(played: readonly Played[], zeroMs: number, turnsOf: (session: number) => number): () => Arrival | undefined {
  let i = 0
  return () => {
    const p = played[i++]
    if (!p) return undefined
    const arrival: Arrival = { dueNs: Math.max(0, Math.round((p.timestampMs - zeroMs) * 1e6)), session: p.session }
    if (p.firstTurn > 0) arrival.firstTurn = p.firstTurn
    if (p.firstTurn + p.turns < turnsOf(p.session)) arrival.turns = p.turns
    return arrival
  }
}

/** Requests per second of the trace around a time: the time stamps in one second around it. */
function recordedRate(stamps: Float64Array, ms: number): number {
  return countBelow(stamps, ms + 500) - countBelow(stamps, ms - 500)
}

function countBelow(ascending: Float64Array, limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

const list = (names: readonly string[]): string => names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '')

function check(o: Options, phase: PhaseRequest): Problem[] {
  const problems = checkLimits(o, phase)
  const start = '--fixed-schedule-start-offset'
  const end = '--fixed-schedule-end-offset'
  if (o.autoOffset && o.startOffset !== undefined)
    problems.push({ flags: ['--fixed-schedule-auto-offset', start], message: `--fixed-schedule-auto-offset and ${start} both say where time 0 is`, hint: 'give one of them' })
  if (o.startOffset !== undefined && o.endOffset !== undefined && o.startOffset > o.endOffset)
    problems.push({ flags: [start, end], message: `${start} ${o.startOffset} is after ${end} ${o.endOffset}`, hint: 'swap them' })
  return problems
}
