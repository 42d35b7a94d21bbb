// Requests per second, stream chunks per second, and what they cost: the whole program beside a bare loop, on one core each.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aiperf, bareLoop, bareLoopUnparsed, otherClients, otherNodes } from './clients/clients.mjs'
import { mustRun } from './measure/process.mjs'
import { ratios, summary } from './measure/statistics.mjs'
import { startTarget } from './target/start.mjs'

const TOKENS = 100
const CONCURRENCY = 64

export const about = {
  title: 'Throughput on one core',
  method: `The client has one core and the target another. ${CONCURRENCY} connections, closed loop. Rates are counted by the target, from its first
request to its last event. Chunks are server-sent events of one token, ${TOKENS} a response, each written by itself. CPU is user and system
time of all processes of the client; start-up is taken out by a second run of few requests. The bare loop dispatches with
undici and keeps nothing; for streams it cuts the events and parses their JSON. Each pair runs all clients one after the other;
ratios are taken within a pair.`,
}

export async function measure({ pairs = 5, quick = false, ...others }) {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-bench-'))
  const target = await startTarget({ tokens: TOKENS })
  const few = CONCURRENCY
  const loads = [
    { name: 'plain', title: 'requests/s', stream: false, requests: quick ? 15_000 : 60_000, per: (stats) => stats.requests, clients: [bareLoop], limits: { rate: '≥ 12,000' } },
    { name: 'stream', title: 'chunks/s', stream: true, requests: quick ? 2_000 : 8_000, per: (stats) => stats.events, clients: [bareLoop, bareLoopUnparsed], limits: { rate: '≥ 140,000', cpu: '≤ 0.8' } },
  ]
  const extra = [...otherNodes(others), ...otherClients(others)]
  const results = {}
  try {
    for (const load of loads) {
      const clients = [aiperf, ...load.clients, ...extra]
      const found = (results[load.name] = Object.fromEntries(clients.map(({ name }) => [name, { rate: [], cpuPer1000: [], peakMb: [] }])))
      for (let pair = 0; pair < pairs; pair++)
        for (const client of clients) {
          // Slow clients get fewer requests, by what their first run took.
          const known = found[client.name]
          const requests = known.rate.length > 0 && known.tooSlow ? few * 10 : load.requests
          const first = await once(client, target, { ...load, requests: few }, folder)
          const whole = await once(client, target, { ...load, requests }, folder)
          known.rate.push(load.per(whole.stats) / whole.stats.seconds)
          known.cpuPer1000.push(((whole.cpuSeconds - first.cpuSeconds) / (requests - few)) * 1000)
          known.peakMb.push(whole.peakMb)
          known.tooSlow = whole.stats.seconds > 30
        }
    }
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { target: target.kind, ...report(loads, results) }
}

async function once(client, target, load, folder) {
  await target.reset()
  const { cpuSeconds, peakMb } = await mustRun(client.command({ ...load, url: target.url, concurrency: CONCURRENCY, folder }))
  const stats = await target.stats()
  if (stats.requests < load.requests) throw new Error(`${client.name} sent ${stats.requests} of ${load.requests} requests`)
  return { cpuSeconds, peakMb, stats }
}

function report(loads, results) {
  const rows = []
  for (const load of loads)
    for (const [client, { rate, cpuPer1000, peakMb }] of Object.entries(results[load.name])) {
      const row = (what, unit, values, limit) => rows.push({ load: load.name, client, what, unit, ...summary(values), ...(limit && client === 'aiperf' ? { limit } : {}) })
      row(load.title, '/s', rate, load.limits.rate)
      row('CPU per 1,000 requests', 's', cpuPer1000, load.limits.cpu)
      row('memory of all processes', 'MB', peakMb)
      if (client === 'aiperf') continue
      const own = results[load.name].aiperf
      rows.push({ load: load.name, client, what: `aiperf / ${client}: ${load.title}`, unit: '', ...ratios(own.rate, rate) })
      rows.push({ load: load.name, client, what: `aiperf / ${client}: CPU`, unit: '', ...ratios(own.cpuPer1000, cpuPer1000) })
    }
  return { rows }
}
