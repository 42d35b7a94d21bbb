import { brief } from '@aiperf/core/numbers'
import type { Calibration, ClientUse } from './input.js'
import { levelOf, read, shortestLatency, type Evidence, type Say } from './evidence.js'
import { THRESHOLDS } from './thresholds.js'

/** Was the client measured instead of the server: threads, CPU, its own floor and head-room. */
export function judgeClient({ input, profiling }: Evidence, say: Say): void {
  const use = input.manifest.client as ClientUse
  const latency = shortestLatency(profiling)
  judgeWorkers(use, latency, say)
  judgeProcess(use, say)
  const calibration = input.manifest.calibration as Calibration | undefined
  if (calibration) {
    judgeFloor(calibration, latency, say)
    judgeHeadroom(calibration, read(profiling, 'request_throughput'), chunksPerSecond(profiling), say)
  }
}

function judgeWorkers(use: ClientUse, latency: ReturnType<typeof shortestLatency>, say: Say): void {
  const workers = (use.threads ?? []).filter((thread) => thread.role === 'worker')
  const busiest = workers.toSorted((a, b) => (b.utilization ?? 0) - (a.utilization ?? 0))[0]
  const utilization = busiest?.utilization ?? 0
  const busy = levelOf('workerUtilization', utilization)
  if (busy) say({ code: 'client-saturated', ...busy, message: `worker ${busiest!.id} was busy ${brief(100 * utilization)} % of the time: its time stamps are late`, value: utilization })
  const delayMs = Math.max(0, ...workers.map((thread) => thread.loopDelayP99Ms ?? 0))
  if (latency === undefined || delayMs <= THRESHOLDS.workerDelayFloor.suspect) return
  const share = delayMs / latency.ms
  const late = levelOf('workerDelayShare', share)
  if (late)
    say({
      code: 'client-delayed',
      ...late,
      message: `workers were held up for ${brief(delayMs)} ms (p99), ${brief(100 * share)} % ${latency.text}`,
      value: share,
    })
}

function judgeProcess({ cpuSeconds, wallSeconds, cores, backlogSeconds }: ClientUse, say: Say): void {
  if (cpuSeconds !== undefined && wallSeconds !== undefined && wallSeconds > 0 && cores !== undefined) {
    const share = cpuSeconds / (wallSeconds * cores)
    const found = levelOf('processCpu', share)
    if (found) say({ code: 'client-cpu', ...found, message: `the client used ${brief(100 * share)} % of all ${cores} cores`, value: share })
  }
  const backlog = backlogSeconds === undefined ? undefined : levelOf('backlog', backlogSeconds)
  if (backlog) say({ code: 'recorder-backlog', ...backlog, message: `decoding and counting tokens took ${brief(backlogSeconds!)} s longer than the run (measured times are not affected)`, value: backlogSeconds! })
}

function judgeFloor({ floorLatencyP50Ms }: Calibration, latency: ReturnType<typeof shortestLatency>, say: Say): void {
  if (floorLatencyP50Ms === undefined || latency === undefined) return
  const share = floorLatencyP50Ms / latency.ms
  const found = levelOf('floorShare', share)
  if (found)
    say({
      code: 'client-floor',
      ...found,
      message: `the client itself takes ${brief(floorLatencyP50Ms)} ms, ${brief(100 * share)} % ${latency.text}`,
      value: share,
    })
}

function judgeHeadroom(calibration: Calibration, requestRate: number | undefined, chunkRate: number | undefined, say: Say): void {
  const used = (rate: number | undefined, most: number | undefined): number => (rate === undefined || most === undefined || most <= 0 ? 0 : rate / most)
  const requests = used(requestRate, calibration.requestsPerSecond)
  const chunks = used(chunkRate, calibration.chunksPerSecond)
  const share = Math.max(requests, chunks)
  const found = levelOf('headroomUsed', share)
  if (found)
    say({
      code: 'client-headroom',
      ...found,
      message: `${brief(100 * share)} % of the ${requests >= chunks ? 'requests' : 'chunks'} per second that this client can do were used`,
      value: share,
    })
}

function chunksPerSecond(profiling: Evidence['profiling']): number | undefined {
  const tokens = read(profiling, 'output_token_throughput')
  const perChunk = read(profiling, 'tokens_per_chunk')
  return tokens === undefined || perChunk === undefined || perChunk <= 0 ? undefined : tokens / perChunk
}
