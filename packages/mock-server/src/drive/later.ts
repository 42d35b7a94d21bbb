import type { ServerContext } from '../context.js'
import type { Exchange } from '../http/exchange.js'
import { nowMs } from '../timing/clock.js'
import type { TruthEntry } from '../truth/entry.js'

/** Answers with JSON after the time to first token, as endpoints that stream nothing do. */
export function sendLater(exchange: Exchange, context: ServerContext, entry: TruthEntry, value: unknown): void {
  const { ledger, pacer, times, traffic, options } = context
  entry.plan(0, 1)
  exchange.onGone = () => ledger.end(entry, 'gone')
  const send = () => {
    ledger.sent(entry, 0, nowMs())
    ledger.end(entry, 'complete')
    exchange.respondJson(200, value)
  }
  if (options.instant || options.model) return send()
  pacer.add({
    dueMs: exchange.arrivalMs + times.ttftMs(entry.ordinal),
    get cancelled() {
      return exchange.over
    },
    fire(now) {
      traffic.late(now - this.dueMs)
      send()
      return false
    },
  })
}
