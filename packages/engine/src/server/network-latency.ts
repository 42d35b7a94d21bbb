import { appendFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Target } from '@aiperf/core'

/** File of the probes in the journal's folder. */
export const NETWORK_LATENCY = 'network-latency.jsonl'
const PROBE_LIMIT_MS = 5000
const FEWEST = 5
const TOP_UP_MS = 3000

export interface NetworkLatency {
  /** Stops probing; the mean round trip, ns, over all targets; undefined when no probe succeeded. */
  stop(): Promise<number | undefined>
}

/**
 * Measures the network's round trip beside the load: the time of a TCP handshake with each server, at an interval.
 * Every probe is a line of the given file.
 */
export function probeNetwork(targets: readonly Target[], intervalSeconds: number, file: string, now: () => number, unixNs: bigint): NetworkLatency {
  const addresses = [...new Map(targets.map((t) => [t.url.host, { host: t.url.hostname.replace(/^\[|\]$/g, ''), port: Number(t.url.port) || (t.url.protocol === 'https:' ? 443 : 80) }])).values()]
  const rtts: number[] = []
  const round = async (): Promise<void> => {
    await Promise.all(
      addresses.map(async ({ host, port }) => {
        const startNs = now()
        const error = await handshake(host, port)
        const rttNs = now() - startNs
        if (!error) rtts.push(rttNs)
        const line = { timestamp_ns: 0, target: `${host}:${port}`, ...(error ? { error } : { rtt_ms: rttNs / 1e6 }) }
        appendFileSync(file, `${JSON.stringify(line).replace('"timestamp_ns":0', `"timestamp_ns":${unixNs + BigInt(startNs)}`)}\n`)
      }),
    )
  }
  void round()
  const timer = setInterval(() => void round(), intervalSeconds * 1000)
  return {
    stop: async () => {
      clearInterval(timer)
      const end = performance.now() + TOP_UP_MS
      while (rtts.length < FEWEST && performance.now() < end) {
        const before = rtts.length
        await round()
        if (rtts.length === before) break
      }
      return rtts.length === 0 ? undefined : rtts.reduce((a, b) => a + b, 0) / rtts.length
    },
  }
}

function handshake(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (error?: string): void => {
      socket.destroy()
      resolve(error)
    }
    socket.setTimeout(PROBE_LIMIT_MS, () => end('timeout'))
    socket.once('connect', () => end())
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}
