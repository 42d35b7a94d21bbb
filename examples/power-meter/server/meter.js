// A power meter to try the plugin on: two outlets that draw 400 and 150 W. `npm run server`, then as README.md says.
import { createServer } from 'node:http'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const OUTLETS = { 'node-1': 400, 'node-2': 150 }

/** Starts it; its energy counters began at 100 kWh. */
export async function startMeter(port = 0) {
  const started = performance.now()
  const server = createServer((request, response) => {
    const hours = (performance.now() - started) / 3.6e6
    const outlets = Object.entries(OUTLETS).map(([name, watts]) => ({ name, watts, kilowattHours: 100 + (watts / 1000) * hours }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ outlets }))
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/readings`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) console.log(`The meter listens on ${(await startMeter(8094)).url}`)
