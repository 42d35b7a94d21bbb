// Makes the files of generated/ from the built modules and the dependencies; each only when it is older than its sources.
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = dirname(import.meta.dirname)
const generated = join(root, 'generated')
const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const outdated = (file, sources) => sources.some((source) => modified(source) > modified(file))
mkdirSync(generated, { recursive: true })

// The run-level options as JSON Schema, so that no run pays 60 ms for zod.
const optionsFile = join(generated, 'core-options.json')
const optionModules = ['core', 'phase', 'envelope'].map((name) => join(root, `dist/options/${name}.options.js`))
if (outdated(optionsFile, [...optionModules, join(root, 'dist/manifest/build-manifest.js'), import.meta.filename])) {
  const { z } = await import('zod')
  const { withoutReferences } = await import('../dist/manifest/build-manifest.js')
  const groups = await Promise.all(optionModules.map((path) => import(pathToFileURL(path).href)))
  const schemas = Object.fromEntries(groups.flatMap(Object.entries).map(([name, schema]) => [name, withoutReferences(z.toJSONSchema(schema, { io: 'input' }))]))
  writeFileSync(optionsFile, `${JSON.stringify(schemas, null, 1)}\n`)
}

// The dependency container in one file: its 30 small CommonJS files cost 25 to 40 ms to load in every thread, this 5.
const containerFile = join(generated, 'container.cjs')
if (outdated(containerFile, [createRequire(import.meta.url).resolve('tsyringe'), import.meta.filename])) {
  const { rolldown } = await import('rolldown')
  const entry = '\0container'
  const source = "import 'reflect-metadata/lite'; export { container } from 'tsyringe'"
  const virtual = { name: 'entry', resolveId: (id) => (id === entry ? id : undefined), load: (id) => (id === entry ? source : undefined) }
  const bundle = await rolldown({ input: entry, cwd: root, platform: 'node', plugins: [virtual] })
  await bundle.write({ file: containerFile, format: 'cjs', minify: true, comments: { legal: true } })
}
