import { createHash } from 'node:crypto'
import type { Ask } from '../ask/ask.js'
import type { Exchange } from '../http/exchange.js'
import type { VllmMetrics } from '../metrics/vllm.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { nowMs } from '../timing/clock.js'
import { TruthEntry } from './entry.js'
import type { TruthLog } from './log.js'
import type { Ending, RareFacts } from './record.js'
import type { Traffic } from './traffic.js'

/** Where all that happens to a request is written down: its truth record, the counts, and the metrics. */
export class Ledger {
  constructor(
    private readonly options: Pick<ResolvedOptions, 'promptHash' | 'captureRequests'>,
    private readonly traffic: Traffic,
    private readonly log: TruthLog,
    private readonly metrics: VllmMetrics,
  ) {}

  /** A request for inference has arrived. */
  begin(exchange: Exchange): TruthEntry {
    const inFlight = this.traffic.inFlight
    const entry = new TruthEntry(this.traffic.begin(exchange.arrivalMs), inFlight, exchange)
    if (this.options.captureRequests) entry.rare = capture(exchange)
    this.log.begin(entry)
    return entry
  }

  /** What it asks for has been read. */
  asked(entry: TruthEntry, ask: Ask): void {
    entry.model = ask.model
    entry.stream = ask.stream
    entry.promptChars = ask.promptChars
    if (this.options.promptHash && ask.prompt) entry.rare = { ...entry.rare, promptHash: hash(ask.prompt.texts.join('\n')) }
  }

  /** Tokens are handed to the socket now. */
  sent(entry: TruthEntry, tokens: number, atMs: number): void {
    if (entry.events === 0) {
      this.metrics.promptTokens += entry.promptTokens
      this.metrics.ttft.observe((atMs - entry.arrivalMs) / 1e3)
    }
    entry.sent(tokens, atMs)
    this.metrics.generationTokens += tokens
    this.traffic.tokens += tokens
    this.traffic.chunks++
    this.traffic.lastSendMs = atMs
  }

  /** The response has ended. */
  end(entry: TruthEntry, ending: Ending, status = entry.status): void {
    if (entry.ending !== 'open') return
    entry.ending = ending
    entry.status = status
    entry.endMs = nowMs()
    this.traffic.end(ending, status, entry.endMs)
    this.metrics.finished(ending === 'complete' ? entry.finishReason || 'stop' : ending === 'gone' ? 'abort' : 'error')
    if (ending === 'complete') this.metrics.e2e.observe((entry.endMs - entry.arrivalMs) / 1e3)
    this.log.end(entry)
  }
}

function capture({ request }: Exchange): RareFacts {
  const headers = Object.fromEntries(request.names.map((name, index) => [name, request.values[index]!]))
  return { headers, body: request.body.toString() }
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 16)
}
