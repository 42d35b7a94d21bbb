// What a person waits for: launch to help, launch to the first request on the wire, last answer to exit.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aiperf, otherClients, otherNodes } from './clients/clients.mjs'
import { CORE, cpuSecondsOf, familyOf, run } from './measure/process.mjs'
import { ratios, summary } from './measure/statistics.mjs'

const TOKENS = 20
const REQUESTS = 20

export const about = {
  title: 'Start-up and exit',
  method: `The program has one core. A server in the harness's process (on the other core) notes when the first request arrives and when it wrote its last answer:
${REQUESTS} streamed requests of ${TOKENS} chunks, 4 at a time, with the builtin tokenizer and generated prompts. Every launch is paired with one of
\`node -e 0\`; ratios are taken within a pair. CPU is that of the process until the moment, all threads.`,
}

export async function measure({ pairs = 7, quick = false, ...others }) {
  const server = await startServer()
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-startup-'))
  const load = { url: server.url, concurrency: 4, requests: REQUESTS, stream: true, folder }
  const bare = []
  const help = []
  const runs = [aiperf, ...otherNodes(others), ...otherClients(others)].map((client) => ({ client, all: [] }))
  try {
    for (let pair = 0; pair < (quick ? Math.min(pairs, 3) : pairs); pair++) {
      bare.push(await launch([process.execPath, '-e', '0'], server))
      const [node, program] = aiperf.command(load)
      help.push(await launch([node, program, '--help'], server))
      for (const { client, all } of runs) all.push(await launch(client.command(load), server))
    }
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { rows: report(bare, help, runs) }
}

/** Answers at once, and notes the first request and the last answer. */
async function startServer() {
  const event = (delta, finish) => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const body = `${Array.from({ length: TOKENS }, () => event({ content: ' token' }, null)).join('')}${event({}, 'stop')}data: [DONE]\n\n`
  const head = (type, size) => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n`
  const answer = Buffer.from(head('text/event-stream', body.length) + body)
  const empty = Buffer.from(head('text/plain', 0))
  const seen = { firstMs: 0, lastMs: 0, cpuMs: 0, pid: 0 }
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      // What a client asks besides (models, metrics) is no request of the load.
      if (bytes[0] === 71) return socket.write(empty)
      if (!bytes.includes('"messages"')) return
      if (seen.firstMs === 0) {
        seen.firstMs = performance.now()
        seen.cpuMs = familyOf(seen.pid).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0) * 1000
      }
      socket.write(answer)
      seen.lastMs = performance.now()
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, seen, close: () => new Promise((resolve) => server.close(resolve)) }
}

async function launch(argv, { seen }) {
  Object.assign(seen, { firstMs: 0, lastMs: 0, cpuMs: 0 })
  const startMs = performance.now()
  const result = await run(argv, { core: CORE.client, sampleMs: 100, onStart: (pid) => (seen.pid = pid) })
  if (result.code !== 0) throw new Error(`${argv.join(' ')} ended with code ${result.code}: ${result.stderr}`)
  return { wallMs: result.wallMs, cpuMs: result.cpuSeconds * 1000, firstMs: seen.firstMs - startMs, firstCpuMs: seen.cpuMs, exitMs: startMs + result.wallMs - seen.lastMs }
}

function report(bare, help, runs) {
  const of = (list, key) => list.map((one) => one[key])
  const bareMs = of(bare, 'wallMs')
  const row = (client, what, unit, values, limit) => ({ client, what, unit, ...summary(values), ...(limit ? { limit } : {}) })
  const ratio = (client, what, list, key, limit) => ({ client, what, unit: '× bare node', ...ratios(of(list, key), bareMs), ...(limit ? { limit } : {}) })
  return [
    row('node -e 0', 'launch to exit', 'ms', bareMs),
    row('aiperf', '--help, launch to exit', 'ms', of(help, 'wallMs')),
    ratio('aiperf', '--help', help, 'wallMs', '≤ 5'),
    ...runs.flatMap(({ client: { name }, all }) => [
      row(name, 'launch to first request', 'ms', of(all, 'firstMs'), '≤ 500'),
      ratio(name, 'launch to first request', all, 'firstMs'),
      row(name, 'CPU until the first request', 'ms', of(all, 'firstCpuMs')),
      row(name, 'last answer to exit', 'ms', of(all, 'exitMs'), '≤ 300'),
      ratio(name, 'last answer to exit', all, 'exitMs'),
      row(name, 'CPU of the whole run', 'ms', of(all, 'cpuMs')),
    ]),
  ]
}
