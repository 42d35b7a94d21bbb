// aiperf-manifest [FOLDER...]: writes aiperf.manifest.json of each plugin package, where it is older than the build.
import { relative, resolve } from 'node:path'
import { buildManifest } from './build-manifest.js'
import { isStale } from './stale.js'

const folders = process.argv.slice(2).filter((argument) => argument !== '--force')
const force = process.argv.includes('--force')
let failed = false
for (const folder of folders.length === 0 ? ['.'] : folders) {
  const directory = resolve(folder)
  if (!force && !isStale(directory)) continue
  const problems = await buildManifest(directory)
  for (const problem of problems) console.error(`${relative(process.cwd(), directory) || '.'}: ${problem}`)
  failed ||= problems.length > 0
}
process.exitCode = failed ? 1 : 0
