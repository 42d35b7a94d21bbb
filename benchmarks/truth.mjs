// Whether measured times are true: beside the target's own log, which knows when each token was sent.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aiperf, otherClients } from './clients/clients.mjs'
import { mustRun } from './measure/process.mjs'
import { exponentialDistance, quantile, summary } from './measure/statistics.mjs'
import { startTarget } from './target/start.mjs'

const TTFT_MS = 50
const ITL_MS = 5
const TOKENS = 50
const CONCURRENCIES = [1, 32, 128, 256]
/** Critical value of the test of Kolmogorov and Smirnov at 5 %, times the root of the number of gaps. */
const KS_5_PERCENT = 1.358

export const about = {
  title: 'Truth',
  method: `The target sends the first token ${TTFT_MS} ms after a request arrived and one every ${ITL_MS} ms from then on, ${TOKENS} in all, and logs when it
did. What a client reports of each request is compared with that log, by request id. *TTFT added* is the reported time to first token minus the logged
one: all that lies between the client's dispatch and the server's arrival, and between sending and the client's stamp. *ITL error* is the
absolute difference of the mean gap between tokens. Client and target have a core each. Open loop: gaps between arrivals at the target against the
asked ones (constant rate), and the distance of Kolmogorov and Smirnov between the gaps and the exponential distribution (Poisson). Quantiles are
of the requests of a run; the table shows medians of several runs.`,
}

const naive = {
  name: 'undici, stamped in JavaScript',
  command: ({ url, concurrency, requests }) => [process.execPath, join(import.meta.dirname, 'clients/undici-truth.mjs'), url, String(concurrency), String(requests)],
  read: (_, stdout) => stdout.trim().split('\n').map((line) => JSON.parse(line)),
}

export async function measure({ pairs = 2, quick = false, ...others }) {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-truth-'))
  const target = await startTarget({ tokens: TOKENS, ttftMs: TTFT_MS, itlMs: ITL_MS, truth: true })
  const rows = new Rows()
  const profilers = [aiperf, ...otherClients(others)].map((client) => ({ ...client, read: readRecords }))
  const play = async (client, load) => {
    await target.reset()
    const { stdout } = await mustRun(client.command({ url: target.url, stream: true, folder, ...load }))
    return { reported: client.read(folder, stdout), truth: await target.truth() }
  }
  try {
    for (let pair = 0; pair < (quick ? 1 : pairs); pair++) {
      for (const concurrency of CONCURRENCIES)
        for (const client of [...profilers, naive]) {
          // As many rounds of a third of a second as give some thousand requests, or five seconds.
          const requests = concurrency * Math.max(3, Math.min(16, Math.ceil((quick ? 1000 : 3000) / concurrency)))
          compare(rows, client.name, concurrency, await play(client, { concurrency, requests }))
        }
      for (const client of profilers) {
        openLoop(rows, client.name, 400, await play(client, { rate: 400, arrivals: 'constant', requests: quick ? 1000 : 2000 }))
        for (const [rate, requests] of [[200, 1000], [400, 2000]]) poisson(rows, client.name, rate, await play(client, { rate, arrivals: 'poisson', requests, seed: pair + 1 }))
      }
    }
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { target: target.kind, rows: rows.all() }
}

/** Values of each row, one a run. */
class Rows {
  #rows = new Map()
  add(load, client, what, unit, value, limit) {
    const key = [load, client, what].join('\0')
    if (!this.#rows.has(key)) this.#rows.set(key, { load, client, what, unit, limit, values: [] })
    this.#rows.get(key).values.push(value)
  }
  all() {
    return [...this.#rows.values()].map(({ limit, values, ...row }) => ({ ...row, ...summary(values), ...(limit === undefined ? {} : { limit: `≤ ${limit}` }) }))
  }
}

/** What a profiling run reports of each request: its records file, in the form that the reference defined. */
function readRecords(folder) {
  return readFileSync(join(folder, 'profile_export.jsonl'), 'utf8').trim().split('\n').map((line) => {
    const { metadata, metrics } = JSON.parse(line)
    return { id: metadata.x_request_id, ttftMs: metrics.time_to_first_token?.value, itlMs: metrics.inter_token_latency?.value }
  })
}

const LIMITS = { ttft: { 1: [0.3, 2], 32: [0.5, 4], 128: [0.8, 8], 256: [1.5, 12] }, itl: { 128: [0.02, 0.2] } }

function compare(rows, client, concurrency, { reported, truth }) {
  const ttft = []
  const itl = []
  for (const { id, ttftMs, itlMs } of reported) {
    const { sentUs } = truth.get(id) ?? {}
    if (sentUs === undefined || ttftMs === undefined) continue
    ttft.push(ttftMs - sentUs[0] / 1000)
    itl.push(Math.abs(itlMs - (sentUs.at(-1) - sentUs[0]) / 1000 / (sentUs.length - 1)))
  }
  if (ttft.length < reported.length * 0.99) throw new Error(`${client}: ${reported.length - ttft.length} of ${reported.length} records are not in the target's log`)
  const load = `concurrency ${concurrency}`
  for (const [name, values, limits] of [['TTFT added', ttft, LIMITS.ttft[concurrency]], ['ITL error', itl, LIMITS.itl[concurrency]]])
    [0.5, 0.99].forEach((q, i) => rows.add(load, client, `${name}, p${q * 100}`, 'ms', quantile(values, q), client === 'aiperf' ? limits?.[i] : undefined))
}

/** Gaps between arrivals, s, in order of arrival. */
function gaps(truth) {
  const arrivals = [...truth.values()].map(({ arrivalNs }) => arrivalNs).sort((a, b) => (a < b ? -1 : 1))
  return arrivals.slice(1).map((ns, i) => Number(ns - arrivals[i]) / 1e9)
}

function openLoop(rows, client, rate, { truth }) {
  const deviations = gaps(truth).map((gap) => Math.abs(gap - 1 / rate) * 1000)
  for (const [q, limit] of [[0.5, 0.1], [0.99, 1]]) rows.add(`open loop, ${rate}/s`, client, `gap deviation, p${q * 100}`, 'ms', quantile(deviations, q), client === 'aiperf' ? limit : undefined)
}

function poisson(rows, client, rate, { truth }) {
  const all = gaps(truth)
  rows.add(`Poisson, ${rate}/s`, client, 'KS distance', '', exponentialDistance(all, rate), (KS_5_PERCENT / Math.sqrt(all.length)).toFixed(3))
}
