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
/** Short answers for the open loop: what is measured there is when requests arrive. */
const OPEN_LOOP_TOKENS = 5
const WARMUP = 1000
const CONCURRENCIES = [1, 32, 128, 256]
/** Critical value of the test of Kolmogorov and Smirnov at 5 %, times the root of the number of gaps. */
const KS_5_PERCENT = 1.358

export const about = {
  title: 'Truth',
  method: `The target sends the first token ${TTFT_MS} ms after a request arrived and one every ${ITL_MS} ms from then on, ${TOKENS} in all, and logs when it
did. What a client reports of each request is compared with that log, by request id. *TTFT added* is the reported time to first token minus the logged
one: all that lies between the client's dispatch and the server's arrival, and between sending and the client's stamp. *ITL error* is the
absolute difference of the mean gap between tokens. Client and target have a core each, and the target never sleeps. Open loop, after ${WARMUP} requests of
warm-up, with answers of ${OPEN_LOOP_TOKENS} tokens: gaps between arrivals at the target against the asked ones (constant rate), and the distance of Kolmogorov and
Smirnov between the gaps and the exponential distribution (Poisson); what the sample itself comes to is about 0.87 over the root of the number of gaps.
Quantiles are of the requests of a run; the table shows medians of several runs.`,
}

const naive = {
  name: 'undici, stamped in JavaScript',
  command: ({ url, concurrency, requests }) => [process.execPath, join(import.meta.dirname, 'clients/undici-truth.mjs'), url, String(concurrency), String(requests)],
  read: (_, stdout) => stdout.trim().split('\n').map((line) => JSON.parse(line)),
}

export async function measure({ pairs = 2, quick = false, ...others }) {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-truth-'))
  const rows = new Rows()
  const profilers = [aiperf, ...otherClients(others)].map((client) => ({ ...client, read: readRecords }))
  let kind
  /** Starts a target, and has `play(client, load)` run clients against it. */
  const against = async (tokens, work) => {
    const target = await startTarget({ tokens, ttftMs: TTFT_MS, itlMs: ITL_MS, truth: true })
    kind = target.kind
    try {
      await work(async (client, load) => {
        await target.reset()
        const { stdout } = await mustRun(client.command({ url: target.url, stream: true, folder, ...load }))
        const reported = client.read(folder, stdout)
        const truth = await target.truth()
        return { reported, truth: new Map(reported.flatMap(({ id }) => (truth.has(id) ? [[id, truth.get(id)]] : []))) }
      })
    } finally {
      await target.stop()
    }
  }
  try {
    for (let pair = 0; pair < (quick ? 1 : pairs); pair++) {
      await against(TOKENS, async (play) => {
        for (const concurrency of CONCURRENCIES)
          for (const client of [...profilers, naive]) {
            // As many rounds of a third of a second as give some thousand requests, or five seconds.
            const requests = concurrency * Math.max(3, Math.min(16, Math.ceil((quick ? 1000 : 3000) / concurrency)))
            compare(rows, client.name, concurrency, await play(client, { concurrency, requests }))
          }
      })
      await against(OPEN_LOOP_TOKENS, async (play) => {
        const load = { seed: pair + 1, warmup: WARMUP }
        for (const client of profilers) {
          openLoop(rows, client.name, 400, await play(client, { ...load, rate: 400, arrivals: 'constant', requests: quick ? 1000 : 2000 }))
          for (const [rate, requests] of [[200, 1000], [400, 2000]]) poisson(rows, client.name, rate, await play(client, { ...load, rate, arrivals: 'poisson', requests }))
        }
      })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { target: kind, rows: rows.all() }
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

/** What a profiling run reports of each measured request: its records file, in the form that the reference defined. */
function readRecords(folder) {
  const lines = readFileSync(join(folder, 'profile_export.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line))
  return lines.filter(({ metadata }) => metadata.benchmark_phase === 'profiling').map(({ metadata, metrics }) => {
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
