import { connect as tcpConnect, type OnReadOpts, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { LookupAddress } from 'node:dns'
import type { Origin } from './origin.js'

/** Starts a connection to one of `addresses`, tried in order (RFC 8305 when there are several). */
export function dial(origin: Origin, addresses: readonly LookupAddress[], onread: OnReadOpts): Socket {
  const where =
    origin.socketPath !== undefined
      ? { path: origin.socketPath }
      : addresses.length === 1
        ? { host: addresses[0]!.address, port: origin.port }
        : { host: origin.host, port: origin.port, autoSelectFamily: true, lookup: answer(addresses) }
  const options = { ...where, onread, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }
  if (!origin.secure) return tcpConnect(options)
  return tlsConnect({
    ...options,
    secureContext: origin.secureContext!,
    rejectUnauthorized: origin.rejectUnauthorized,
    // Without a name the certificate is checked against the address connected to.
    ...(origin.serverName === undefined ? {} : { servername: origin.serverName }),
    ALPNProtocols: ['http/1.1'],
  })
}

/** A lookup that answers from what is known already. */
function answer(addresses: readonly LookupAddress[]) {
  return (_host: string, _options: object, done: (error: null, addresses: LookupAddress[]) => void): void => {
    process.nextTick(done, null, [...addresses])
  }
}
