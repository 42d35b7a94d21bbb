// Bundles what the program loads: a run on one core spends most of its start in finding and linking some hundred small
// modules in each of its threads. Every package whose "files" names `bundle/` gets that folder, made from what the
// compiler put into `dist/`; the program takes it when it is there and no older than `dist/` (packages/cli/bin/run.js).
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isMain, workspacePackages } from './packages.mjs'

/** Packages of others that are bundled too: many files of which a run needs a part. All else stays an import. */
const INLINED = new Set(['apache-arrow', 'flatbuffers', 'tslib', 'random-words', 'seedrandom', 'fastest-levenshtein'])
/** Modules of Node that most threads never call: loaded by the first call, for they cost up to 10 ms each. */
const RARE = new Set(['node:crypto', 'node:http', 'node:https', 'node:tls', 'node:zlib', 'node:dns'])
/** Ours that have a bundle of their own to import from. */
const OURS = new Set(['@aiperf/core', '@aiperf/engine'])

const toPosix = (path) => path.split(sep).join('/')
/** `recorder/thread.js` → `recorder.thread`: all modules of a bundle lie in one folder, so that none has to know where it is. */
const flat = (file) => file.replace(/\.js$/, '').replaceAll('/', '.')

/** Modules of `dist/` that are loaded by name: exports, contributions, commands, threads. */
function entriesOf({ directory, manifest }) {
  const dist = join(directory, 'dist')
  const files = new Set()
  const collect = (value) => {
    if (typeof value === 'string') {
      if (/^\.\/dist\/[^*]+\.js$/.test(value)) files.add(value.slice('./dist/'.length))
    } else if (typeof value === 'object' && value !== null) for (const [key, item] of Object.entries(value)) if (key !== 'options') collect(item)
  }
  collect(manifest.exports)
  collect(manifest.aiperf?.contributes)
  collect(manifest.oclif?.helpClass)
  for (const path of readdirSync(dist, { recursive: true }).map(toPosix))
    if (/(^|\/)thread\.js$/.test(path) || /^commands\/.*\.js$/.test(path) || path === 'main.js') files.add(path)
  return [...files].filter((file) => existsSync(join(dist, file)))
}

/** Functions that load their module when they are called; undefined when something else is imported too: a class, a constant. */
function deferred(names, from) {
  const builtin = process.getBuiltinModule(from)
  const pairs = names.map((name) => name.split(' as '))
  if (!pairs.every(([name]) => /^[a-z]/.test(name) && typeof builtin[name] === 'function')) return undefined
  return pairs
    .map(([name, local = name]) => `const ${local} = (...args) => process.getBuiltinModule('${from}').${name}(...args);`)
    .join('\n')
}

/** Stands for `url` of the bundle's own modules while the others are replaced. */
const HERE = '\0here'

/** Makes imports and addresses of modules right for their new place. */
function places({ directory }, entries) {
  const dist = join(directory, 'dist')
  return {
    name: 'places',
    resolveId(id) {
      if (id.startsWith('.') || isAbsolute(id)) return null
      const parts = id.split('/')
      const name = id.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]
      if (OURS.has(name)) return { id: [name, 'bundle', ...parts.slice(2)].join('/'), external: true }
      if (name === '@oclif/core') return OCLIF
      return INLINED.has(name) || id === OCLIF ? null : { id, external: true }
    },
    load: (id) => (id === OCLIF ? OCLIF_IMPORTS : null),
    transform(code, id) {
      if (!id.startsWith(dist + sep)) return null
      if (/import\.meta\.(dirname|filename)/.test(code)) throw new Error(`${id}: use import.meta.url, which can be made right for the bundle`)
      // Each module goes on to see the address it has in dist/, but for the modules that are bundled, of threads above all.
      const address = `new URL('../${toPosix(relative(directory, id))}', import.meta.${HERE}).href`
      return code
        .replace(/^import \{ ([\w, ]+) \} from '(node:\w+)';$/gm, (whole, names, from) => (RARE.has(from) ? deferred(names.split(', '), from) ?? whole : whole))
        .replace(/createRequire\(import\.meta\.url\)\('@oclif\/core\/\w+'\)/g, `createRequire(import.meta.${HERE})('./${OCLIF_FILE}')`)
        .replace(/new URL\('([^']+)', import\.meta\.url\)/g, (whole, path) => {
          const entry = toPosix(relative(dist, resolve(dirname(id), path)))
          return entries.includes(entry) ? `new URL('./${flat(entry)}.js', import.meta.${HERE})` : whole
        })
        // The container that the build made of tsyringe (packages/core/scripts/generate.mjs) becomes a part of the bundle.
        .replace(/const require = createRequire\(import\.meta\.url\);(?=\s+try \{\s+return require\('..\/..\/generated\/container\.cjs'\))/, '')
        .replaceAll('import.meta.url', address)
        .replaceAll(`import.meta.${HERE}`, 'import.meta.url')
    },
  }
}

/** The command framework: eighty small files in one. What comes out is CommonJS, like what goes in. */
const OCLIF = '\0oclif'
const OCLIF_FILE = 'oclif.cjs'
const OCLIF_SOURCE = `
exports.run = require('@oclif/core/run').run
exports.settings = require('@oclif/core/settings').settings
exports.Config = require('@oclif/core/config').Config
exports.Command = require('@oclif/core/command').Command
exports.Help = require('@oclif/core/help').Help
exports.Args = require('@oclif/core/args')
exports.Flags = require('@oclif/core/flags')`
const OCLIF_IMPORTS = `import { createRequire } from 'node:module'
export const { run, Command, Help, Args, Flags } = createRequire(import.meta.url)('./${OCLIF_FILE}')`

/** The framework, and what it reads of the program: its package.json and its commands, which now lie beside them. */
async function bundleFramework(rolldown, { directory, manifest }, folder) {
  const entry = '\0framework.cjs'
  const source = { name: 'source', resolveId: (id) => (id === entry ? id : undefined), load: (id) => (id === entry ? { code: OCLIF_SOURCE, moduleType: 'js' } : undefined) }
  // The compiler is asked for by developers of plugins only.
  const bundle = await rolldown({ input: entry, cwd: directory, platform: 'node', plugins: [source], external: ['typescript'], logLevel: 'silent' })
  await bundle.write({ file: join(folder, OCLIF_FILE), format: 'cjs', codeSplitting: false, minify: true, comments: { legal: true } })
  const { commands, helpClass, plugins, ...oclif } = manifest.oclif
  // Packages that bring no commands are none of the framework's business: it would read each four times.
  const ours = plugins.filter((name) => name.startsWith('@aiperf/'))
  const moved = (path) => path.replace('./dist/', './')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, oclif: { ...oclif, commands: moved(commands), helpClass: moved(helpClass), plugins: plugins.filter((name) => !ours.includes(name)), aiperfPlugins: ours } }))
  const list = JSON.parse(readFileSync(join(directory, 'oclif.manifest.json'), 'utf8'))
  for (const command of Object.values(list.commands)) command.relativePath = [`${flat(command.relativePath.slice(1).join('/'))}.js`]
  writeFileSync(join(folder, 'oclif.manifest.json'), JSON.stringify(list))
}

/**
 * Shared modules in few files: those that mostly go together, together; a file costs about as much as 20 kB of code. Not so
 * what draws in a package of others: whoever does not need it must not load it.
 */
function shared(drawingIn) {
  const test = (id) => isAbsolute(id) && !id.includes('node_modules') && !drawingIn.has(id)
  return { groups: [{ name: 'shared', test, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000 }] }
}

/** Collects the modules that import a package of others, directly or through modules of ours. */
function findDrawingIn(drawingIn) {
  return {
    name: 'drawing-in',
    buildEnd() {
      const ids = [...this.getModuleIds()]
      const foreign = (id) => id === OCLIF || ((/node_modules/.test(id) || !isAbsolute(id)) && !/^(node:|@aiperf\/|\0)/.test(id))
      for (let size = -1; size !== drawingIn.size; ) {
        size = drawingIn.size
        for (const id of ids) if (this.getModuleInfo(id)?.importedIds.some((used) => foreign(used) || drawingIn.has(used))) drawingIn.add(id)
      }
    },
  }
}

async function bundlePackage(rolldown, item) {
  const { folder, directory } = item
  const made = join(directory, `bundle.${process.pid}`)
  const entries = entriesOf(item)
  // Threads share nothing but memory: each gets one file of its own.
  const threads = entries.filter((file) => /(^|\/)thread\.js$/.test(file))
  const rest = entries.filter((file) => !threads.includes(file))
  for (const [files, prefix] of [[rest, ''], ...threads.map((file) => [[file], `${flat(file)}.`])]) {
    if (files.length === 0) continue
    const drawingIn = new Set()
    const bundle = await rolldown({
      input: Object.fromEntries(files.map((file) => [flat(file), join(directory, 'dist', file)])),
      cwd: directory,
      platform: 'node',
      tsconfig: false,
      plugins: [places(item, entries), findDrawingIn(drawingIn)],
      logLevel: 'silent',
    })
    const { output } = await bundle.write({
      dir: made, format: 'esm', entryFileNames: '[name].js', chunkFileNames: ({ name }) => `${prefix}${name.split('~')[0]}.[hash].part.js`, codeSplitting: shared(drawingIn), comments: { legal: true, annotation: false, jsdoc: false },
    })
    for (const { fileName, code } of output) {
      // What is imported for nothing costs a millisecond all the same.
      const lean = code.replace(/^import "\.\.?\/rolldown-runtime\.[\w-]+\.part\.js";\n/gm, '')
      if (lean !== code) writeFileSync(join(made, fileName), lean)
    }
  }
  if (folder === 'cli') await bundleFramework(rolldown, item, made)
  rmSync(join(directory, 'bundle'), { recursive: true, force: true })
  renameSync(made, join(directory, 'bundle'))
}

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whether something that a bundle is made from is newer than it. */
function outdated({ directory }) {
  const made = modified(join(directory, 'bundle'))
  if (made === 0) return true
  const dist = join(directory, 'dist')
  const sources = ['package.json', 'oclif.manifest.json', 'tsconfig.tsbuildinfo'].map((name) => join(directory, name))
  const compiled = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith('.js')).map((path) => join(dist, path))
  return [import.meta.filename, ...sources, ...compiled].some((path) => modified(path) > made)
}

/** Bundles the packages whose compiled files changed. Exit code 0 when all went well. */
export async function bundle() {
  const packages = workspacePackages().filter(({ directory, manifest }) => manifest.files?.includes('bundle') && existsSync(join(directory, 'dist')))
  const wanted = packages.filter(outdated)
  if (wanted.length === 0) return 0
  const { rolldown } = await import('rolldown')
  const results = await Promise.allSettled(wanted.map((item) => bundlePackage(rolldown, item)))
  for (const [i, { reason }] of results.entries()) if (reason) console.error(`packages/${wanted[i].folder}: bundling failed: ${reason.message}`)
  return results.some(({ reason }) => reason) ? 1 : 0
}

if (isMain(import.meta)) process.exit(await bundle())
