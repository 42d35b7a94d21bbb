// Requests per second and CPU of the transports alone, against a target given by URL (or a plain one started here).
//   node bench/transport.mjs [url] [concurrency] [seconds] [http|undici|dispatch] [stream]
import { createServer } from 'node:http'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'

const [, , url, concurrency = '64', seconds = '3', which = 'http', stream = ''] = process.argv
if (!isMainThread) {
  const body = JSON.stringify({ object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }] })
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
} else if (url === undefined || url === '-') {
  const worker = new Worker(new URL(import.meta.url))
  worker.once('message', (port) => run(new URL(`http://127.0.0.1:${port}/v1/chat/completions`)))
  worker.unref()
} else run(new URL(url))

async function run(url) {
  const start = process.hrtime.bigint()
  const now = () => Number(process.hrtime.bigint() - start)
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(200) }], stream: stream !== '' }))
  const fixedHeaders = ['content-type', 'application/json', 'user-agent', 'aiperf/0.1.0', 'accept', stream ? 'text/event-stream' : 'application/json', 'authorization', 'Bearer abcdefghijkl']
  const target = { url }
  let done = 0
  let failed = 0
  let reads = 0
  let bytes = 0
  let stopping = false
  const waits = []
  let send
  let close = async () => {}
  if (which === 'dispatch') {
    const { Pool } = await import('undici')
    const pool = new Pool(url.origin, { connections: null, pipelining: 1 })
    const headers = Object.fromEntries(Array.from({ length: fixedHeaders.length / 2 }, (_, i) => fixedHeaders.slice(2 * i, 2 * i + 2)))
    send = (sink) =>
      pool.dispatch({ path: url.pathname, method: 'POST', headers, body }, {
        onRequestStart() {}, onResponseStart() {}, onResponseData(_, view) { sink.bytes(view, now()) },
        onResponseEnd() { sink.end(now()) }, onResponseError(_, error) { sink.fail(error) },
      })
    close = () => pool.destroy()
  } else {
    const { default: contribution } = await import(`../dist/${which}.js`)
    const transport = await contribution.create({ options: { keepAliveSeconds: 300, dnsTtlSeconds: 300 }, now })
    await transport.open(target, Number(concurrency))
    let n = 0
    send = (sink) => transport.send({ target, method: 'POST', path: url.pathname, fixedHeaders, headers: ['x-request-id', `r-${n++}`], body, connection: 'pooled', timeoutMs: 60000 }, sink)
    close = () => transport.close()
  }
  for (let i = 0; i < Number(concurrency); i++)
    waits.push(new Promise((resolve) => {
      const sink = {
        phase() {}, head() {},
        bytes(view) { reads++; bytes += view.length },
        end() { done++; if (stopping) resolve(); else send(sink) },
        fail(f) { if (failed++ === 0) console.error(f); if (stopping) resolve(); else send(sink) },
      }
      send(sink)
    }))
  await new Promise((resolve) => setTimeout(resolve, 500))
  const cpu0 = process.cpuUsage()
  const from = [done, reads, bytes, now()]
  await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000))
  const cpu = process.cpuUsage(cpu0)
  const s = (now() - from[3]) / 1e9
  const cpuS = (cpu.user + cpu.system) / 1e6
  console.log(`${which}: ${((done - from[0]) / s).toFixed(0)} requests/s, ${((reads - from[1]) / s).toFixed(0)} reads/s, ${((bytes - from[2]) / s / 1e6).toFixed(1)} MB/s, ${failed} failed, CPU ${(cpuS / s).toFixed(2)} cores, ${((cpuS / (done - from[0])) * 1e6).toFixed(1)} us/request`)
  stopping = true
  await Promise.race([Promise.all(waits), new Promise((resolve) => setTimeout(resolve, 2000))])
  await close()
  process.exit()
}
