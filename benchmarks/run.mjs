// `pnpm bench`, `pnpm bench:truth` and so on: `node benchmarks/run.mjs NAME… [--pairs N] [--quick] [--reference COMMAND]
// [--client NAME=COMMAND]… [--node PATH]… [--publish] [--no-build]`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../scripts/build.mjs'
import { facts } from './measure/machine.mjs'
import { print } from './report/print.mjs'
import { writePage } from './report/page.mjs'

const NAMES = ['throughput', 'truth', 'startup', 'memory', 'waiting', 'records']
const root = join(import.meta.dirname, '..')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string' }, quick: { type: 'boolean' }, reference: { type: 'string' }, client: { type: 'string', multiple: true }, node: { type: 'string', multiple: true }, publish: { type: 'boolean' }, 'no-build': { type: 'boolean' } },
})
const names = positionals.includes('all') ? NAMES : positionals.length > 0 ? positionals : ['throughput']
const unknown = names.filter((name) => !NAMES.includes(name))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}: expected ${NAMES.join(', ')} or all.`)
  process.exit(2)
}
if (!values['no-build'] && (await build()) !== 0) console.error('The build failed (see above): what is measured may be an older one.')
// What is published is kept with the sources; what a visitor measures is not.
const folder = values.publish ? join(import.meta.dirname, 'results') : join(root, 'artifacts/benchmarks')
mkdirSync(folder, { recursive: true })
// Packages that somebody added to the program on this machine are no part of what is measured.
process.env.AIPERF_DATA_DIR ??= join(folder, 'no-packages')
const { pairs, publish, ...settings } = values
for (const name of names) {
  const { about, measure } = await import(`./${name}.mjs`)
  const startMs = Date.now()
  const result = await measure({ ...settings, ...(pairs === undefined ? {} : { pairs: Number(pairs) }) })
  const document = { name, date: new Date(startMs).toISOString().slice(0, 10), seconds: Math.round((Date.now() - startMs) / 1000), machine: facts(), ...about, ...result }
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(document, null, 1)}\n`)
  print(document)
}
const page = publish ? join(root, 'docs/performance.md') : join(folder, 'performance.md')
writePage(page, folder, NAMES)
console.log(`\nResults: ${folder}/*.json, ${page}`)
