import type { Verdict, VerdictReason } from '@aiperf/core'
import type { Evidence, Say } from './evidence.js'
import { judgeClient } from './verdict-client.js'
import { judgeLoad } from './verdict-load.js'
import { judgeSample } from './verdict-sample.js'
import { judgeServer } from './verdict-server.js'

/** Whether a result can be relied on, and every reason why not. */
export function judge(evidence: Evidence): Verdict {
  const reasons: VerdictReason[] = []
  const say: Say = (reason) => void reasons.push(reason)
  judgeSample(evidence, say)
  judgeLoad(evidence, say)
  judgeClient(evidence, say)
  judgeServer(evidence, say)
  for (const { window, info } of evidence.phases) reasons.push(...(evidence.input.judge?.({ startNs: window.startNs, endNs: window.endNs, phase: info.index }) ?? []))
  const rank = { invalid: 0, suspect: 1, note: 2 }
  reasons.sort((a, b) => rank[a.level] - rank[b.level])
  const worst = reasons[0]?.level
  return { verdict: worst === 'invalid' || worst === 'suspect' ? worst : 'valid', reasons }
}
