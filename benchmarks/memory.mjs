// Memory of the whole program at high concurrency, and whether it grows with the length of a run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aiperf, bareLoop, otherClients } from './clients/clients.mjs'
import { mustRun } from './measure/process.mjs'
import { quantile, summary } from './measure/statistics.mjs'
import { startTarget } from './target/start.mjs'

const TOKENS = 100
const CONCURRENCY = 256

export const about = {
  title: 'Memory',
  method: `Streamed requests of ${TOKENS} chunks at concurrency ${CONCURRENCY}, on one core. Memory is the resident size of all processes of the client,
sampled every 50 ms; its greatest value counts. A short run and one of eight times as many requests say what a request leaves behind: *growth* is the
difference of what they held in their last third of sending, by request. *Peak while writing* is the greatest value after the last answer.`,
}

export async function measure({ pairs = 2, quick = false, ...others }) {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-memory-'))
  const target = await startTarget({ tokens: TOKENS })
  const clients = [aiperf, bareLoop, ...otherClients(others)]
  const found = clients.map(() => ({ peak: [], growth: [], writing: [] }))
  const few = quick ? 1000 : 3000
  try {
    for (let pair = 0; pair < (quick ? 1 : pairs); pair++)
      for (const [i, client] of clients.entries()) {
        const play = (requests) => sample(client, { url: target.url, concurrency: CONCURRENCY, requests, stream: true, folder }, target)
        const short = await play(few)
        const long = await play(few * 8)
        found[i].peak.push(Math.max(short.sending, long.sending))
        found[i].growth.push(((long.settled - short.settled) / (few * 7)) * 2 ** 20)
        found[i].writing.push(long.writing)
      }
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    target: target.kind,
    rows: clients.flatMap(({ name }, i) => [
      { client: name, what: 'peak while sending', unit: 'MB', ...summary(found[i].peak), ...(name === 'aiperf' ? { limit: '≤ 180' } : {}) },
      { client: name, what: 'growth by request', unit: 'bytes', ...summary(found[i].growth) },
      { client: name, what: 'peak while writing', unit: 'MB', ...summary(found[i].writing) },
    ]),
  }
}

async function sample(client, load, target) {
  await target.reset()
  const samples = []
  let done = 0
  const startMs = performance.now()
  const polling = setInterval(async () => {
    const { requests } = await target.stats()
    if (done === 0 && requests >= load.requests) done = (performance.now() - startMs) / 1000
  }, 200)
  await mustRun(client.command(load), { onSample: (s) => samples.push(s) })
  clearInterval(polling)
  const sending = samples.filter(({ seconds }) => done === 0 || seconds <= done)
  const after = samples.filter(({ seconds }) => done > 0 && seconds > done)
  const most = (list) => Math.max(0, ...list.map(({ mb }) => mb))
  return { sending: most(sending), settled: quantile(sending.slice(-Math.ceil(sending.length / 3)).map(({ mb }) => mb), 0.5), writing: most(after) }
}
