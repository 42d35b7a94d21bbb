import type { EndpointMeta, RunModel, Target } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'

/** Where requests go: each URL with the endpoint's path, joined without doubling what the URL has already. */
export function targetsOf(model: RunModel, host: Host): Target[] {
  const { endpoint } = model
  const meta = host.find('endpoint', endpoint.type).meta as unknown as EndpointMeta
  const path = endpoint.path ?? (endpoint.streaming && meta.streamingPath !== undefined ? meta.streamingPath : meta.path)
  return endpoint.urls.map((text) => {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
    url.pathname = joinPath(url.pathname, path)
    return {
      url,
      tls: { rejectUnauthorized: endpoint.tls.verify, ...(endpoint.tls.ca === undefined ? {} : { ca: endpoint.tls.ca }) },
      family: endpoint.ipFamily,
    }
  })
}

/** `/v1` + `/v1/chat/completions` is `/v1/chat/completions`; a path that is there already is not added. */
function joinPath(base: string, path: string): string {
  const root = base.replace(/\/+$/, '')
  let sub = path.replace(/^\/+/, '')
  if (sub === '' || root.endsWith(`/${sub}`)) return root === '' ? '/' : root
  if (root.endsWith('/v1') && sub.startsWith('v1/')) sub = sub.slice(3)
  return `${root}/${sub}`
}
