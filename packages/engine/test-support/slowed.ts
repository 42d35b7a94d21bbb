import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIndex, type PluginIndex } from '@aiperf/core/host'
import { PACKAGES, scratch, SOURCES } from './profile.js'

/** An index with a transport `slowed` that holds its worker up for `busyMs` before every `every`-th request. */
export function slowedTransport(busyMs: number, every: number): PluginIndex {
  const plugin = scratch()
  const meta = { description: 'holds the worker up', schemes: ['http'] }
  const contributes = { transport: { slowed: { entry: './slowed.js', meta } } }
  writeFileSync(join(plugin, 'package.json'), JSON.stringify({ name: 'slowed', version: '1.0.0', type: 'module', aiperf: { api: 1, contributes } }))
  const http = pathToFileURL(join(PACKAGES, 'plugin-endpoints', 'dist', 'http.js')).href
  writeFileSync(
    join(plugin, 'slowed.js'),
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
  return buildIndex([...SOURCES, { directory: plugin, origin: 'linked' }])
}
