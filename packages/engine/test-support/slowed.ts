import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIndex, type PluginIndex } from '@aiperf/core/host'
import { PACKAGES, scratch, SOURCES } from './profile.js'

function withPlugin(name: string, contributes: object, code: string): PluginIndex {
  const plugin = scratch()
  writeFileSync(join(plugin, 'package.json'), JSON.stringify({ name, version: '1.0.0', type: 'module', aiperf: { api: 1, contributes } }))
  writeFileSync(join(plugin, `${name}.js`), code)
  return buildIndex([...SOURCES, { directory: plugin, origin: 'linked' }])
}

/** An index with a URL strategy `late` that takes its time to load. */
export function lateUrlStrategy(ms: number): PluginIndex {
  const contributes = { url_strategy: { late: { entry: './late.js', meta: { description: 'loads slowly' } } } }
  return withPlugin('late', contributes, `await new Promise((resolve) => setTimeout(resolve, ${ms}))\nexport default { kind: 'url_strategy', api: 1, create: () => ({ choose: () => 0 }) }\n`)
}

/** An index with a transport `slowed` that holds its worker up for `busyMs` before every `every`-th request. */
export function slowedTransport(busyMs: number, every: number): PluginIndex {
  const meta = { description: 'holds the worker up', schemes: ['http'] }
  const contributes = { transport: { slowed: { entry: './slowed.js', meta } } }
  const http = pathToFileURL(join(PACKAGES, 'plugin-endpoints', 'dist', 'http.js')).href
  return withPlugin(
    'slowed',
    contributes,
    `let sent = 0
     export default { kind: 'transport', api: 1, create: async (context) => {
       const { default: http } = await import(${JSON.stringify(http)})
       const inner = http.create({ ...context, options: { keepAliveSeconds: 60, dnsTtlSeconds: 60 } })
       return { open: (t, n) => inner.open(t, n), close: () => inner.close(), send(request, sink) {
         if (sent++ % ${every} === 0) for (const end = performance.now() + ${busyMs}; performance.now() < end; );
         return inner.send(request, sink)
       } }
     } }`,
  )
}
