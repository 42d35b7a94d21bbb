import type { PhaseResult } from '@aiperf/core'
import { brief } from '@aiperf/core/numbers'
import { levelOf, read, shortestLatency, type Evidence, type Say } from './evidence.js'
import { THRESHOLDS } from './thresholds.js'

/** Was the load the one that was asked for: lag, rates, dropped arrivals, concurrency. */
export function judgeLoad({ profiling, phases }: Evidence, say: Say): void {
  judgeLag(profiling, say)
  for (const phase of phases) {
    const where = phases.length > 1 ? `${phase.info.name}: ` : ''
    judgeRate(phase, where, say)
    judgeDropped(phase, where, say)
    judgeConcurrency(phase, where, say)
  }
}

function judgeLag(profiling: PhaseResult, say: Say): void {
  const lagMs = read(profiling, 'schedule_lag', 'p99')
  const latency = shortestLatency(profiling)
  if (lagMs === undefined || latency === undefined || lagMs <= THRESHOLDS.lagFloor.suspect) return
  const share = lagMs / latency.ms
  const found = levelOf('lagShare', share)
  if (found)
    say({
      code: 'schedule-lag',
      ...found,
      message: `requests were sent up to ${brief(lagMs)} ms late (p99), ${brief(100 * share)} % ${latency.text}`,
      value: share,
    })
}

function judgeRate(phase: PhaseResult, where: string, say: Say): void {
  const offered = read(phase, 'offered_request_rate')
  const achieved = read(phase, 'achieved_request_rate')
  if (offered === undefined || achieved === undefined) return
  const shortfall = 100 * (1 - achieved / offered)
  const short = levelOf('rateShortfall', shortfall)
  if (short)
    say({
      code: 'rate-not-achieved',
      ...short,
      message: `${where}${brief(achieved)} requests/s were sent where ${brief(offered)} were due; latencies begin when a request is sent and leave out its wait in this client (response_time has it)`,
      value: shortfall,
    })
  judgeBacklog(phase, achieved, where, say)
  const asked = constantRate(phase)
  const requests = read(phase, 'dispatched_request_count') ?? 0
  if (asked === undefined || requests < 2) return
  const off = 100 * Math.abs(offered / asked - 1)
  // A random train of n arrivals has a rate that is known to about 1/√n.
  if (off > Math.max(THRESHOLDS.rateOff.suspect, 300 / Math.sqrt(requests)))
    say({
      code: 'rate-not-offered',
      level: 'suspect',
      message: `${where}${brief(offered)} requests/s were due where ${brief(asked)} were asked for`,
      value: off,
      threshold: THRESHOLDS.rateOff.suspect,
    })
}

/**
 * Did the server keep up with an open loop? As long as latencies hold, the requests under way when sending stops are as
 * many as on average (Little's law), however short the run. A queue that grows has about twice as many.
 */
function judgeBacklog(phase: PhaseResult, sentPerSecond: number, where: string, say: Say): void {
  const finished = read(phase, 'request_throughput')
  const average = read(phase, 'effective_concurrency')
  const sent = read(phase, 'dispatched_request_count')
  if (finished === undefined || average === undefined || sent === undefined || average === 0) return
  const waiting = sent - (finished * sent) / sentPerSecond
  const found = waiting >= 10 ? levelOf('backlogGrowth', waiting / average) : undefined
  if (found)
    say({
      code: 'rate-not-sustained',
      ...found,
      message:
        `${where}the server finished ${brief(finished)} requests/s where ${brief(sentPerSecond)} were sent: about ${brief(Math.round(waiting))} were waiting when sending ended, ` +
        'so latencies grow with the length of the run; that wait is in the server, not in this client',
      value: waiting / average,
    })
}

/** The rate asked for, when it is one number that holds all the time. */
function constantRate({ info }: PhaseResult): number | undefined {
  const { rate, rateRamp, rateSeries } = info.options
  return info.mode === 'request_rate' && typeof rate === 'number' && rateRamp === undefined && rateSeries === undefined ? rate : undefined
}

function judgeDropped({ info }: PhaseResult, where: string, say: Say): void {
  const { due, skipped, unsent } = info.counts
  if (due === 0) return
  const share = (100 * (skipped + unsent)) / due
  const found = levelOf('dropped', share)
  if (found)
    say({
      code: 'arrivals-dropped',
      ...found,
      message: `${where}${skipped} arrivals found no free slot and ${unsent} were not sent before the end, of ${due} due`,
      value: share,
    })
}

function judgeConcurrency(phase: PhaseResult, where: string, say: Say): void {
  const asked = phase.info.options['concurrency']
  const usual = read(phase, 'effective_concurrency', 'p50')
  if (phase.info.mode !== 'concurrency' || typeof asked !== 'number' || usual === undefined) return
  const share = usual / asked
  const found = levelOf('concurrency', share, true)
  if (found) say({ code: 'concurrency-not-reached', ...found, message: `${where}${brief(usual)} requests were usually under way where ${asked} sessions were asked for`, value: share })
}
