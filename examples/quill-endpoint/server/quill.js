// Quill as a route of the mock server, to try the plugin on: `npm run server`, then as README.md says.
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { startMockServer } from '@aiperf/mock-server'

const WORDS = ['Ink', ' flows', ' over', ' paper', ',', ' and', ' so', ' do', ' words', '.']
const GAP_MS = 2

/** @type {import('@aiperf/mock-server').Route} */
export const quillRoute = {
  method: 'POST',
  path: '/api/v2/generate',
  handle(exchange) {
    const asked = exchange.request.json()
    const count = Math.min(asked.atMost ?? WORDS.length, 1000)
    const words = Array.from({ length: count }, (_, i) => WORDS[i % WORDS.length])
    const counts = { in: asked.talk.length * 5, out: count }
    if (!asked.stream) return exchange.respondJson(200, { text: words.join(''), why: 'done', counts })
    const lines = [...(asked.style?.thinks ? [{ is: 'thought', text: 'Hm.' }] : []), ...words.map((text) => ({ is: 'piece', text })), { is: 'end', why: 'done', counts }]
    exchange.write(`HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked${exchange.commonHeaders()}\r\n\r\n`)
    const next = () => {
      if (exchange.over) return
      const line = lines.shift()
      if (line === undefined) {
        exchange.write('0\r\n\r\n')
        return exchange.finish()
      }
      const text = `${JSON.stringify(line)}\n`
      exchange.write(`${Buffer.byteLength(text).toString(16)}\r\n${Buffer.from(text).toString('latin1')}\r\n`)
      setTimeout(next, GAP_MS)
    }
    next()
  },
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startMockServer({ port: 8093, routes: [quillRoute] })
  console.log(`Quill listens on ${server.url}`)
}
