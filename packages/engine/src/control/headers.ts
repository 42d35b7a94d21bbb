import type { EndpointMeta, RunModel } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import type { StoreShared } from '../store/layout.js'
import { VERSION } from './version.js'

/**
 * Headers of every request, later ones of a name win, whatever the case: user agent, what the endpoint needs,
 * authentication, content negotiation, then the user's. `session` are the names that carry the session's id.
 */
export function sentHeaders(model: RunModel, wire: StoreShared['wire'], host: Host): { fixed: string[]; session: string[] } {
  const { endpoint } = model
  const meta = host.find('endpoint', endpoint.type).meta as unknown as EndpointMeta
  const byName = new Map<string, [string, string]>()
  const set = (name: string, value: string): void => void byName.set(name.toLowerCase(), [name, value])
  set('User-Agent', `aiperf/${VERSION}`)
  for (let i = 0; i < wire.headers.length; i += 2) set(wire.headers[i]!, wire.headers[i + 1]!)
  if (endpoint.apiKey !== undefined) {
    if (meta.auth === 'x-api-key') set('x-api-key', endpoint.apiKey)
    else set('Authorization', `Bearer ${endpoint.apiKey}`)
  }
  set('Accept', wire.accept)
  set('Content-Type', wire.contentType)
  for (const [name, value] of endpoint.headers) set(name, value)
  const session = [endpoint.sessionHeader, ...endpoint.affinityHeaders].filter((name) => !byName.has(name.toLowerCase()))
  return { fixed: [...byName.values()].flat(), session }
}
