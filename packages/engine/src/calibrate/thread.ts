import { createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * A server that does no work: finds where a request ends and writes the same bytes again. It runs in the client's own
 * process, so that its cost counts against the client: latencies and requests per second measured against it lean to the safe
 * side. A stream is written at once, so chunks per second do not: they are read many at a time.
 */
const answer = Buffer.from(workerData as Uint8Array)
const HEAD_END = Buffer.from('\r\n\r\n')

const server = createServer({ noDelay: true }, (socket) => {
  let missing = 0
  let head: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (data) => {
    let rest: Buffer = data
    while (rest.length > 0) {
      if (missing > 0) {
        const taken = Math.min(missing, rest.length)
        missing -= taken
        rest = rest.subarray(taken)
      } else {
        head = head.length === 0 ? rest : Buffer.concat([head, rest])
        const end = head.indexOf(HEAD_END)
        if (end < 0) return
        missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head.toString('latin1', 0, end))?.[1] ?? 0)
        rest = head.subarray(end + 4)
        head = Buffer.alloc(0)
      }
      if (missing === 0 && head.length === 0) socket.write(answer)
    }
  })
})
server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as { port: number }).port))
