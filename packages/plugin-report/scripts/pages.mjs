// Bundles the code of the pages, with Vega in it, and packs it: dist/assets/<page>.js.gz.b64, and the style sheet beside it.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { licences } from './licenses.mjs'

const here = dirname(import.meta.dirname)
const assets = join(here, 'dist', 'assets')
const require = createRequire(import.meta.url)
const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const newest = (folder) => Math.max(...readdirSync(folder, { recursive: true }).map((name) => modified(join(folder, name))))
const PAGES = ['main', 'dashboard', 'lanes', 'messages']

const inputs = Math.max(newest(join(here, 'page')), newest(join(here, 'src')), modified(join(here, 'package.json')), modified(import.meta.filename))
if (PAGES.some((page) => modified(join(assets, `${page}.js.gz.b64`)) < inputs)) {
  const typescript = require.resolve('typescript/package.json')
  const tsc = join(dirname(typescript), Object.values(require(typescript).bin)[0])
  const checked = spawnSync(process.execPath, [tsc, '-p', join(here, 'page')], { stdio: 'inherit' })
  const { rolldown } = await import('rolldown')
  mkdirSync(assets, { recursive: true })
  for (const page of PAGES) {
    const bundle = await rolldown({
      input: join(here, 'page', `${page}.ts`),
      platform: 'browser',
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      logLevel: 'warn',
    })
    const { output } = await bundle.generate({ format: 'iife', minify: true, codeSplitting: false, comments: { legal: false } })
    const notices = licences(output[0].moduleIds)
    writeFileSync(join(assets, `${page}.licenses.txt`), notices === '' ? '' : `This page contains:\n\n${notices}\n`)
    writeFileSync(join(assets, `${page}.js.gz.b64`), gzipSync(output[0].code, { level: 9 }).toString('base64'))
  }
  writeFileSync(join(assets, 'page.css'), readFileSync(join(here, 'page', 'page.css'), 'utf8'))
  if (checked.status !== 0) process.exitCode = 1
}
