// The yardstick: what a loop over undici's dispatch does when it keeps nothing. `node undici-loop.mjs URL CONCURRENCY REQUESTS
// [--stream] [--parse]`. With --parse it cuts events and parses their JSON, as anything that counts tokens must.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { Agent } = createRequire(join(import.meta.dirname, '../../packages/plugin-endpoints/package.json'))('undici')
const [url, concurrency, requests, ...flags] = process.argv.slice(2)
const stream = flags.includes('--stream')
const parse = flags.includes('--parse')
const { origin, pathname } = new URL(`${url}/v1/chat/completions`)
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'word '.repeat(100) }], stream })
const agent = new Agent({ connections: Number(concurrency), pipelining: 1 })

let started = 0
let ended = 0
let events = 0
const total = Number(requests)
const startMs = performance.now()

class Handler {
  #rest = ''
  onRequestStart() {}
  onResponseStart() {}
  onResponseData(_, chunk) {
    if (!parse) return
    const pieces = (this.#rest + chunk.toString('latin1')).split('\n\n')
    this.#rest = pieces.pop()
    for (const piece of pieces) {
      if (piece.charCodeAt(6) === 91) continue // [DONE]
      if (JSON.parse(piece.slice(6)).choices[0].delta.content) events++
    }
  }
  onResponseEnd() {
    ended++
    next()
  }
  onResponseError(_, error) {
    throw error
  }
}
function next() {
  if (started < total) {
    started++
    agent.dispatch({ origin, path: pathname, method: 'POST', headers: ['content-type', 'application/json'], body }, new Handler())
  } else if (ended === total) finish()
}
function finish() {
  const seconds = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage()
  console.log(JSON.stringify({ requests: ended, events, seconds, cpuSeconds: (user + system) / 1e6 }))
  process.exit(0)
}
for (let i = 0; i < Math.min(Number(concurrency), total); i++) next()
