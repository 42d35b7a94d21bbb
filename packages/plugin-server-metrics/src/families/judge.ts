import type { SeriesSummary, TelemetryJudge, TelemetryResult, TelemetryWindow, VerdictReason } from '@aiperf/core'
import { readFigure } from './figures.js'
import { serversOf, type Role } from './servers.js'

/** A queue that is longer by this much, and by this share of what runs, in the last quarter than in the second is growing. */
const GROWN_REQUESTS = 5
const GROWN_SHARE = 0.25
const FULL_CACHE_PERCENT = 95
const HITS_PERCENT = 10
const LEAST_SAMPLES = 0.9

/** What servers say about a phase: queues that grow, caches that are full or warm, restarts, scrapes that are missing. */
export const judgeServer: TelemetryJudge = (result, phase) => {
  const all = result.summarise([phase])
  return result.targets.flatMap(({ name }, target) => {
    const series = all.filter((summary) => summary.target === target)
    return [
      ...serversOf(series.map((summary) => summary.series.name)).flatMap((server) => {
        const value = (role: Role, of: readonly SeriesSummary[] = series): number | undefined => {
          const figure = server.figures.find((f) => f.role === role)
          return figure && readFigure(figure, of)?.avg
        }
        return [
          ...queue(result, phase, target, `${server.name} at ${name}`, value),
          ...cache(`${server.name} at ${name}`, value),
        ]
      }),
      ...restarts(name, series),
      ...coverage(result, target, phase),
    ]
  })
}

type ValueOf = (role: Role, of?: readonly SeriesSummary[]) => number | undefined

function queue(result: TelemetryResult, phase: TelemetryWindow, target: number, server: string, value: ValueOf): VerdictReason[] {
  const waiting = value('waiting')
  if (waiting === undefined || waiting < 1) return []
  const length = phase.endNs - phase.startNs
  const quarter = (from: number): number => value('waiting', result.summarise([{ startNs: phase.startNs + from * length, endNs: phase.startNs + (from + 0.25) * length }]).filter((s) => s.target === target)) ?? 0
  const grown = quarter(0.75) - quarter(0.25)
  const running = value('running') ?? 0
  if (grown > Math.max(GROWN_REQUESTS, GROWN_SHARE * running))
    return [{ code: 'server-saturated', level: 'suspect', message: `the queue of ${server} was still growing (by ${grown.toFixed(1)} requests within half of the phase): it got more than it can do, so latencies depend on how long the run was`, value: grown, threshold: GROWN_REQUESTS }]
  return [{ code: 'server-queue', level: 'note', message: `${waiting.toFixed(1)} requests waited at ${server} on average`, value: waiting, threshold: 1 }]
}

function cache(server: string, value: ValueOf): VerdictReason[] {
  const reasons: VerdictReason[] = []
  const kv = value('kv')
  const preempted = value('preempted') ?? 0
  if ((kv !== undefined && kv >= FULL_CACHE_PERCENT) || preempted > 0)
    reasons.push({ code: 'kv-cache-full', level: 'note', message: `the KV cache of ${server} ran full${kv === undefined ? '' : ` (${kv.toFixed(0)} % on average)`}${preempted > 0 ? `; ${Math.round(preempted)} requests were preempted` : ''}`, value: kv ?? preempted, threshold: kv === undefined ? 0 : FULL_CACHE_PERCENT })
  const hits = value('hits')
  if (hits !== undefined && hits >= HITS_PERCENT)
    reasons.push({ code: 'prefix-cache-hits', level: 'note', message: `${hits.toFixed(0)} % of the prompt came from the prefix cache of ${server}: make sure that the dataset is meant to do that`, value: hits, threshold: HITS_PERCENT })
  return reasons
}

function restarts(target: string, series: readonly SeriesSummary[]): VerdictReason[] {
  // One counter that falls may be its server's oddity; a restart takes them all.
  const counters = series.filter((s) => (s.counter?.total ?? s.histogram?.count ?? 0) > 0)
  const fallen = counters.filter((s) => (s.counter?.resets ?? s.histogram?.resets ?? 0) > 0)
  if (fallen.length === 0 || fallen.length < counters.length / 2) return []
  return [{ code: 'server-restarted', level: 'suspect', message: `the counters of ${target} began again during the phase: the server was restarted`, value: fallen.length, threshold: 0 }]
}

function coverage(result: TelemetryResult, target: number, { startNs, endNs }: TelemetryWindow): VerdictReason[] {
  const { name, reached, gaps, firstNs = startNs, lastNs = endNs, lastError } = result.targets[target]!
  if (!reached) return []
  const overlap = (from: number, to: number): number => Math.max(0, Math.min(to, endNs) - Math.max(from, startNs))
  const missing = gaps.reduce((sum, gap) => sum + overlap(gap.startNs, gap.endNs), 0) + overlap(-Infinity, firstNs) + overlap(lastNs, Infinity)
  const covered = 1 - missing / (endNs - startNs)
  if (covered >= LEAST_SAMPLES) return []
  return [{ code: 'telemetry-gaps', level: 'note', message: `scrapes of ${name} cover ${Math.round(100 * covered)} % of the phase${lastError === undefined ? '' : ` (last failure: ${lastError})`}`, value: covered, threshold: LEAST_SAMPLES }]
}
