import type { Target } from '@aiperf/core'
import { isIP } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'

/** Where a connection goes. Targets with the same origin share their connections. */
export interface Origin {
  /** See `originKey`. */
  key: string
  secure: boolean
  host: string
  port: number
  /** Value of the Host header. */
  authority: string
  family: 0 | 4 | 6
  socketPath: string | undefined
  rejectUnauthorized: boolean
  /** Made once: loading certificate authorities takes milliseconds. */
  secureContext: SecureContext | undefined
  /** Name to be sent and verified; undefined for IP addresses, for which TLS sends none. */
  serverName: string | undefined
}

/** Equal for targets that can share connections. */
export function originKey({ url, tls, socketPath, family }: Target): string {
  return [url.protocol, url.host, socketPath ?? '', family ?? 0, tls?.rejectUnauthorized !== false, tls?.ca ?? ''].join('\0')
}

export function originOf(target: Target): Origin {
  const { url, tls, socketPath } = target
  const secure = url.protocol === 'https:'
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const family = target.family ?? 0
  return {
    key: originKey(target),
    secure,
    host,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    authority: url.host,
    family,
    socketPath,
    rejectUnauthorized: tls?.rejectUnauthorized !== false,
    secureContext: secure ? createSecureContext(tls?.ca === undefined ? {} : { ca: tls.ca }) : undefined,
    serverName: isIP(host) === 0 ? host : undefined,
  }
}
