// A plain client that measures in JavaScript: `node undici-truth.mjs URL CONCURRENCY REQUESTS`. It prints one JSON line a
// request: its id, time to the first token and mean gap between tokens, ms.
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { Agent } = createRequire(join(import.meta.dirname, '../../packages/plugin-endpoints/package.json'))('undici')
const [url, concurrency, requests] = process.argv.slice(2)
const { origin, pathname } = new URL(`${url}/v1/chat/completions`)
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'word '.repeat(100) }], stream: true })
const agent = new Agent({ connections: Number(concurrency), pipelining: 1 })
const total = Number(requests)
const lines = []
let started = 0

class Handler {
  #rest = ''
  #id
  #startMs
  #first = 0
  #last = 0
  #tokens = 0
  constructor(id, startMs) {
    this.#id = id
    this.#startMs = startMs
  }
  onRequestStart() {}
  onResponseStart() {}
  onResponseData(_, chunk) {
    const nowMs = performance.now()
    const pieces = (this.#rest + chunk.toString('latin1')).split('\n\n')
    this.#rest = pieces.pop()
    for (const piece of pieces) {
      if (piece.charCodeAt(6) === 91 || !JSON.parse(piece.slice(6)).choices[0].delta.content) continue
      if (this.#tokens++ === 0) this.#first = nowMs
      this.#last = nowMs
    }
  }
  onResponseEnd() {
    lines.push(JSON.stringify({ id: this.#id, ttftMs: this.#first - this.#startMs, itlMs: (this.#last - this.#first) / (this.#tokens - 1) }))
    next()
  }
  onResponseError(_, error) {
    throw error
  }
}
function next() {
  if (lines.length === total) process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(0))
  if (started >= total) return
  started++
  const id = randomUUID()
  const handler = new Handler(id, performance.now())
  agent.dispatch({ origin, path: pathname, method: 'POST', headers: ['content-type', 'application/json', 'x-request-id', id], body }, handler)
}
for (let i = 0; i < Math.min(Number(concurrency), total); i++) next()
