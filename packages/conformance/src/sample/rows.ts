import { createRandom } from '@aiperf/core'
import type { RowFacts } from '@aiperf/engine/evaluate'

const MS = 1e6

/** Requests as runs of every kind have them: streamed, whole, failed, refused, cut, cancelled, unfinished, with odd texts. */
export function sampleRows(count: number): RowFacts[] {
  const random = createRandom(11, 'conformance rows')
  return Array.from({ length: count }, (_, i): RowFacts => {
    const dispatchedNs = i * 3 * MS
    const base: RowFacts = {
      ordinal: i, phase: 0, session: i, conversation: i % 20, turn: 0, worker: 0, recorder: 0, url: 0, model: 0, user: Number.NaN, dueNs: dispatchedNs - 20_000, claimedNs: dispatchedNs - 10_000, dispatchedNs, writtenNs: dispatchedNs + 30_000,
      assignedNs: dispatchedNs + 5_000, connection: i % 4, reused: i < 4 ? 0 : 1, bytesSent: 600 + i, streaming: 1, requestedTokens: 64, inputTokens: 128, clientInputTokens: 128,
    }
    const failure = (facts: RowFacts): RowFacts => ({ ...base, endNs: dispatchedNs + 2 * MS, ...facts })
    switch (i % 17) {
      case 3:
        return failure({ outcome: 'http_error', status: 503, headNs: dispatchedNs + MS, firstByteNs: dispatchedNs + MS, error: { code: 503, type: 'Service Unavailable', message: 'overloaded, "try" again;\nlater', category: 'http_error' } })
      case 7:
        return failure({ outcome: 'connection', status: 0, writtenNs: Number.NaN, error: { type: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:8000', category: 'connection' } })
      case 11:
        return failure({ outcome: 'cancelled', status: 200, cancelAtNs: dispatchedNs + 2 * MS })
      case 13:
        return failure({ outcome: 'censored', status: 0, endNs: dispatchedNs + 400 * MS })
      default: {
        const tokenNs: number[] = []
        let at = dispatchedNs + Math.round((20 + 10 * random.exponential()) * MS)
        for (let k = 0; k < 1 + (i % 30); k++) {
          tokenNs.push(at)
          at += Math.round((4 + random.exponential()) * MS)
        }
        return {
          ...base, outcome: 'done', status: 200, streamed: 1, firstByteNs: tokenNs[0]! - 200_000, headNs: tokenNs[0]! - 100_000, endNs: at, tokenNs, frames: tokenNs.length + 1, reads: tokenNs.length, bytesReceived: tokenNs.length * 180,
          outputTokens: tokenNs.length, reasoningTokens: 0, clientOutputTokens: tokenNs.length, usagePrompt: 130, usageCompletion: tokenNs.length, usageTotal: 130 + tokenNs.length, finishReason: 'stop',
        }
      }
    }
  })
}
