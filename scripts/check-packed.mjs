// Looks at every package as it would be published: fields and files (publint), types by every way of importing them
// (arethetypeswrong), and that nothing but what is meant is in it.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pack } from './pack.mjs'
import { isMain, root } from './packages.mjs'

/** ESM only, so that `require` and older resolutions find nothing is meant. */
const MEANT = new Set(['CJSResolvesToESM', 'NoResolution', 'UntypedResolution'])
const FORBIDDEN = /^(?!templates\/)(.*\/)?((src|test|test-support|node_modules|coverage)\/|.*\.test\.|.*tsbuildinfo$|\.env$)/

/** 0 when every package can be published as it is. */
export async function checkPacked() {
  const [{ publint }, { formatMessage }, { checkPackage, createPackageFromTarballData }] = await Promise.all([import('publint'), import('publint/utils'), import('@arethetypeswrong/core')])
  const folder = join(root, 'artifacts/packed')
  const problems = []
  for (const path of await pack(folder)) {
    const data = readFileSync(path)
    const tarball = createPackageFromTarballData(new Uint8Array(data))
    const report = (text) => problems.push(`${tarball.packageName} ${tarball.packageVersion}: ${text}`)
    const files = tarball.listFiles().map((name) => name.replace(`/node_modules/${tarball.packageName}/`, ''))
    for (const name of files) if (FORBIDDEN.test(name)) report(`${name} must not be published`)
    for (const name of ['package.json', 'README.md', 'LICENSE']) if (!files.includes(name)) report(`${name} is missing`)
    const manifest = JSON.parse(tarball.readFile(`/node_modules/${tarball.packageName}/package.json`))
    const ranges = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
    for (const [name, range] of ranges) if (/^(workspace|file|link):/.test(range)) report(`depends on ${name}@${range}, which nobody can install`)
    if (manifest.aiperf && !files.includes('aiperf.manifest.json')) report('aiperf.manifest.json is missing')
    for (const entries of Object.values(manifest.aiperf?.contributes ?? {}))
      for (const [name, { entry, options }] of Object.entries(entries)) for (const file of [entry, options]) if (file && !files.includes(file.replace('./', ''))) report(`${name}: ${file} is missing`)

    const { messages } = await publint({ pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) }, level: 'warning' })
    for (const message of messages) report(formatMessage(message, manifest, { color: false }) ?? message.code)
    const entrypoints = Object.keys(manifest.exports ?? {}).filter((key) => manifest.exports[key]?.types && !key.includes('*'))
    if (entrypoints.length === 0) continue
    const { problems: types } = await checkPackage(tarball, { entrypoints })
    for (const problem of types ?? []) if (!MEANT.has(problem.kind)) report(`types: ${problem.kind}${problem.entrypoint ? ` of ${problem.entrypoint}` : ''}${problem.resolutionKind ? ` (${problem.resolutionKind})` : ''}`)
  }
  rmSync(folder, { recursive: true, force: true })
  for (const problem of problems) console.error(problem)
  return problems.length === 0 ? 0 : 1
}

if (isMain(import.meta)) process.exit(await checkPacked())
