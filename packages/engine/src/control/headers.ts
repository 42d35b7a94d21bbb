import type { EndpointMeta, RunModel } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import type { StoreShared } from '../store/layout.js'
import { VERSION } from './version.js'

/** What identifies the user to the server: authentication, then the user's own headers. Also for requests beside the run. */
export function ownHeaders(model: RunModel, host: Host): Record<string, string> {
  const { apiKey, headers, type } = model.endpoint
  const { auth } = host.find('endpoint', type).meta as unknown as EndpointMeta
  const key = apiKey === undefined ? {} : auth === 'x-api-key' ? { 'x-api-key': apiKey } : { Authorization: `Bearer ${apiKey}` }
  return { ...key, ...Object.fromEntries(headers) }
}

/**
 * Headers of every request, later ones of a name win, whatever the case: user agent, what the endpoint needs,
 * authentication, content negotiation, then the user's. `session` are the names that carry the session's id.
 */
export function sentHeaders(model: RunModel, wire: StoreShared['wire'], host: Host): { fixed: string[]; session: string[] } {
  const { endpoint } = model
  const byName = new Map<string, [string, string]>()
  const set = (name: string, value: string): void => void byName.set(name.toLowerCase(), [name, value])
  set('User-Agent', `aiperf/${VERSION}`)
  // Without it a server may pack its answers, and a packed stream cannot be timed.
  set('Accept-Encoding', 'identity')
  for (let i = 0; i < wire.headers.length; i += 2) set(wire.headers[i]!, wire.headers[i + 1]!)
  set('Accept', wire.accept)
  set('Content-Type', wire.contentType)
  for (const [name, value] of Object.entries(ownHeaders(model, host))) set(name, value)
  const session = [endpoint.sessionHeader, ...endpoint.affinityHeaders].filter((name) => !byName.has(name.toLowerCase()))
  return { fixed: [...byName.values()].flat(), session }
}
