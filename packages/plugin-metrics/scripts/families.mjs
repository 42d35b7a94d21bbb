// The families of metrics in the order in which references list them, and what package.json says of each.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const packageDirectory = join(import.meta.dirname, '..')

export const FAMILIES = {
  latency: 'Latency: from dispatch to the events of a response',
  response: 'Waiting: from when a request was due, and what the client adds',
  chunks: 'Tokens following one another',
  tokens: 'Token counts and sequence lengths',
  throughput: 'Rates of the run and of single requests',
  counts: 'Requests by how they ended',
  goodput: 'Goodput: requests that met every objective',
  usage: 'Usage: token counts reported by the server',
  effective: 'Effective curves: the work at each moment, averaged over the window',
  active: 'Active curves: the same over busy time',
  http: 'Phases of an HTTP request',
  network: 'Latencies less the network round trip',
  replay: 'Keeping of a replayed schedule',
  'prefix-cache': 'Prefix cache: what the dataset allows',
  'spec-decode': 'Speculative decoding, as the server reports it',
  media: 'Images, audio and video',
  energy: 'Energy and power of GPUs',
}

/** Metrics by family, from the built modules. */
export async function loadFamilies() {
  const families = []
  for (const [name, description] of Object.entries(FAMILIES)) {
    const module = await import(pathToFileURL(join(packageDirectory, 'dist', `${name}.js`)).href)
    families.push({ name, description, metrics: module.default.create() })
  }
  return families
}

/** `aiperf.contributes.metric` of package.json. */
export function contributions(families) {
  return Object.fromEntries(
    families.map(({ name, description, metrics }) => [
      name.replaceAll('-', '_'),
      { entry: `./dist/${name}.js`, meta: { description, tags: metrics.map((m) => m.tag) } },
    ]),
  )
}

if (process.argv[1] === import.meta.filename) {
  const path = join(packageDirectory, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  manifest.aiperf.contributes.metric = contributions(await loadFamilies())
  const text = JSON.stringify(manifest, null, 2).replace(/"tags": \[\s+([^\]]+?)\s+\]/g, (_, list) => `"tags": [${list.replace(/\s*\n\s*/g, ' ')}]`)
  writeFileSync(path, `${text}\n`)
}
