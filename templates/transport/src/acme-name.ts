import { Agent, request as httpRequest, type ClientRequest } from 'node:http'
import { Agent as SecureAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { defineTransport, type ByteSink, type ConnectionInfo, type OutgoingRequest, type TransportFailure } from '@aiperf/core'
import type options from './acme-name.options.js'

export default defineTransport<typeof options>({
  create({ options, now }) {
    const settings = { keepAlive: true, timeout: options.keepAliveSeconds * 1000 }
    const agents = { 'http:': new Agent(settings), 'https:': new SecureAgent(settings) }
    const connections = new WeakMap<Socket, { id: number; requests: number }>()
    let count = 0
    let closed = false
    return {
      // Nothing is opened ahead: the first requests pay for their connections, and say so in their phases.
      async open() {},
      send(outgoing, sink) {
        if (closed) throw new Error('the transport is closed')
        const agent = agents[outgoing.target.url.protocol as keyof typeof agents]
        return exchange(outgoing, sink, agent, now, (socket) => {
          let known = connections.get(socket)
          if (!known) connections.set(socket, (known = { id: ++count, requests: 0 }))
          return known
        })
      },
      async close() {
        closed = true
        for (const agent of Object.values(agents)) agent.destroy()
      },
    }
  },
})

function exchange({ target, method, path, fixedHeaders, headers, body, timeoutMs, connection }: OutgoingRequest, sink: ByteSink, agent: Agent, now: () => number, connectionOf: (socket: Socket) => { id: number; requests: number }) {
  let over = false
  let answered = false
  let info: ConnectionInfo | undefined
  let timer: NodeJS.Timeout | undefined
  const finish = (tell: () => void) => {
    if (over) return
    over = true
    clearTimeout(timer)
    tell()
  }
  const fail = (category: TransportFailure['category'], code: string, message: string) => finish(() => sink.fail({ category, code, message, afterFirstByte: answered }, now(), info))
  const send = target.url.protocol === 'https:' ? httpsRequest : httpRequest
  const request: ClientRequest = send(target.url, {
    method, path, agent: connection === 'never' ? false : agent, headers: merged(fixedHeaders, headers, body),
    ...(target.socketPath === undefined ? {} : { socketPath: target.socketPath }),
    ...(target.tls === undefined ? {} : { rejectUnauthorized: target.tls.rejectUnauthorized, ...(target.tls.ca === undefined ? {} : { ca: target.tls.ca }) }),
  })
  request.on('socket', (socket) => {
    const known = connectionOf(socket)
    info = { id: known.id, reused: known.requests++ > 0, retried: false, bytesSent: body?.length ?? 0 }
    const assigned = () => !over && sink.phase('assigned', now())
    if (socket.connecting) socket.once('connect', () => over || (sink.phase('tcp', now()), assigned()))
    else assigned()
  })
  request.on('finish', () => over || sink.phase('written', now()))
  request.on('response', (response) => {
    if (over) return
    answered = true
    sink.phase('first-byte', now())
    sink.head(response.statusCode ?? 0, response.rawHeaders, now())
    response.on('data', (chunk: Buffer) => over || sink.bytes(chunk, now()))
    response.on('end', () => finish(() => sink.end(now(), info!)))
    response.on('error', (error: NodeJS.ErrnoException) => fail('reset', error.code ?? 'ERROR', error.message))
  })
  request.on('error', (error: NodeJS.ErrnoException) => fail(categoryOf(error), error.code ?? 'ERROR', error.message))
  if (timeoutMs > 0) timer = setTimeout(() => (fail('timeout', 'TIMEOUT', `no complete response within ${timeoutMs} ms`), request.destroy()), timeoutMs)
  request.end(body)
  return {
    cancel() {
      fail('cancelled', 'CANCELLED', 'the request was cancelled')
      request.destroy()
    },
  }
}

function categoryOf({ code = '' }: NodeJS.ErrnoException): TransportFailure['category'] {
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].includes(code)) return 'connect'
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return 'dns'
  if (code.startsWith('HPE_')) return 'protocol'
  return code.startsWith('ERR_TLS') || code.includes('CERT') ? 'tls' : 'reset'
}

/** Later headers override earlier ones of the same name. */
function merged(fixed: readonly string[], own: readonly string[], body: Uint8Array | undefined): Record<string, string> {
  const headers: Record<string, string> = body ? { 'content-length': String(body.length) } : {}
  for (const list of [fixed, own]) for (let i = 0; i + 1 < list.length; i += 2) headers[list[i]!.toLowerCase()] = list[i + 1]!
  return headers
}
