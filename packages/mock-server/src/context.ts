import type { VideoJobs } from './answer/video-jobs.js'
import type { AnswerPlanner } from './answer/planner.js'
import type { FaultPlanner } from './faults/plan.js'
import type { VllmMetrics } from './metrics/vllm.js'
import type { Conversations } from './model/conversations.js'
import type { Engine } from './model/engine.js'
import type { ResolvedOptions } from './options/resolve.js'
import type { Pacer } from './pacing/pacer.js'
import type { TokenTimes } from './timing/token-times.js'
import type { ClockAnchor } from './timing/clock.js'
import type { Ledger } from './truth/ledger.js'
import type { TruthLog } from './truth/log.js'
import type { Traffic } from './truth/traffic.js'

/** What one server consists of, as its routes see it. */
export interface ServerContext {
  readonly options: ResolvedOptions
  readonly anchor: ClockAnchor
  readonly pacer: Pacer
  readonly times: TokenTimes
  readonly planner: AnswerPlanner
  readonly faults: FaultPlanner
  /** The batching model; undefined where times are drawn from distributions. */
  readonly engine: Engine | undefined
  readonly conversations: Conversations
  readonly videos: VideoJobs
  readonly ledger: Ledger
  readonly traffic: Traffic
  readonly truth: TruthLog
  readonly metrics: VllmMetrics
}
