import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../contracts/dataset.js'
import { isJsonObject } from '../json.js'
import { API_VERSION, KINDS, kindByName } from '../kinds.js'
import type { JsonSchema } from '../options/json-schema.js'
import { schemaFault } from '../options/schema-fault.js'
import { didYouMean } from './nearest.js'
import type { IndexedContribution, IndexedPackage, MetricInfo, PackageSource } from './plugin-index.js'

/** `contributes` of a package.json: kind, name, entry. */
interface Declared {
  entry?: unknown
  options?: unknown
  meta?: JsonObject
}

/** The generated file beside package.json: what only loading the code could tell. */
export interface PackageManifest {
  contributions: { [kind: string]: { [name: string]: { options?: JsonSchema; metrics?: MetricInfo[]; checks?: boolean } } }
}
export const MANIFEST_FILE = 'aiperf.manifest.json'

const BUNDLE = 'bundle'
/** Where the build puts the bundled form of a module: `./dist/a/b.js` becomes `./bundle/a.b.js`. */
const bundledModule = (entry: string): string => entry.replace(/^\.\/dist\/(.+)(?=\.js$)/, (_, path: string) => `./${BUNDLE}/${path.replaceAll('/', '.')}`)

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' && value !== '' ? value : otherwise)

/** What a package offers, from its JSON files; undefined when it does not claim to be an AIPerf plugin. Never throws. */
export function readPackage(source: PackageSource): { package: IndexedPackage; contributions: IndexedContribution[] } | undefined {
  const { directory, origin } = source
  const read = readJson(join(directory, 'package.json'))
  if ('problem' in read)
    return {
      package: { name: directory, version: '0.0.0', description: '', directory, origin, api: 0, problem: read.problem },
      contributions: [],
    }
  const json = read.value
  if (json['aiperf'] === undefined) return undefined
  const name = text(json['name'], directory)
  const version = text(json['version'], '0.0.0')
  const aiperf = isJsonObject(json['aiperf']) ? json['aiperf'] : {}
  const api = typeof aiperf['api'] === 'number' ? aiperf['api'] : 0
  const indexed: IndexedPackage = { name, version, description: text(json['description'], ''), directory, origin, api }
  const problem = source.refused ?? apiProblem(api)
  if (problem) indexed.problem = problem

  const bundled = source.bundle === true && existsSync(join(directory, BUNDLE))
  const contributions: IndexedContribution[] = []
  const declared = isJsonObject(aiperf['contributes']) ? aiperf['contributes'] : {}
  const manifest = readJson(join(directory, MANIFEST_FILE))
  const described = 'value' in manifest ? (manifest.value as unknown as PackageManifest).contributions : undefined
  for (const [kindName, entries] of Object.entries(declared)) {
    const kind = kindByName(kindName)
    if (!kind || !isJsonObject(entries)) {
      indexed.problem ??= `package.json declares the contribution kind "${kindName}", which does not exist. ${didYouMean(kindName, Object.keys(KINDS))}`.trim()
      continue
    }
    for (const [contribution, value] of Object.entries(entries) as [string, Declared][]) {
      const extra = described?.[kindName]?.[contribution]
      const entry: IndexedContribution = {
        kind, name: contribution, package: name, version, api,
        entry: typeof value?.entry === 'string' ? join(directory, bundled ? bundledModule(value.entry) : value.entry) : '',
        meta: isJsonObject(value?.meta) ? (value.meta as JsonObject) : {},
      }
      if (extra?.metrics) entry.metrics = extra.metrics
      if (extra?.checks !== undefined) entry.checks = extra.checks
      const fault = problem ?? contributionProblem(value, extra, 'problem' in manifest ? manifest.problem : undefined) ?? (origin === 'bundled' ? undefined : optionsProblem(extra?.options))
      if (fault) entry.problem = fault
      else if (extra?.options) entry.options = extra.options
      contributions.push(entry)
    }
  }
  return { package: indexed, contributions }
}

function contributionProblem(declared: Declared, extra: object | undefined, manifestProblem: string | undefined): string | undefined {
  if (typeof declared?.entry !== 'string') return 'its package.json names no "entry" module'
  if (declared.options !== undefined && !extra)
    return `its options are not described: ${manifestProblem ?? `${MANIFEST_FILE} is older than package.json`}. Run aiperf-manifest in the package's folder`
  return undefined
}

/** Options that no build writes: their flags could not be read, or would let everything pass. */
function optionsProblem(options: JsonSchema | undefined): string | undefined {
  const fault = options === undefined ? undefined : schemaFault(options)
  return fault && `the options in its ${MANIFEST_FILE} cannot be read: ${fault}. Run aiperf-manifest in the package's folder`
}

/** The sentence that says which side to upgrade when the contract numbers differ. */
export function apiProblem(api: number): string | undefined {
  if (api === API_VERSION) return undefined
  const side = api > API_VERSION ? 'AIPerf' : 'the plugin'
  const wanted = api ? `it was written for plugin API ${api}` : 'its package.json has no number of the plugin API that it was written for ("aiperf": { "api": … })'
  return `${wanted}; this AIPerf speaks ${API_VERSION}. Upgrade ${side}`
}

function readJson(path: string): { value: { [key: string]: unknown } } | { problem: string } {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isJsonObject(value) ? { value } : { problem: `${path} holds no JSON object` }
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return { problem: missing ? `${path} does not exist` : `${path} cannot be read: ${(error as Error).message}` }
  }
}

/** Order of two versions by the precedence of semver.org 2.0 (numbers, then pre-release identifiers). */
export function isNewer(a: string, b: string): boolean {
  const parts = (version: string) => {
    const [release = '', ...pre] = version.split('+')[0]!.split('-')
    return { release: release.split('.').map(Number), pre: pre.join('-') }
  }
  const x = parts(a)
  const y = parts(b)
  for (let i = 0; i < 3; i++) if ((x.release[i] ?? 0) !== (y.release[i] ?? 0)) return (x.release[i] ?? 0) > (y.release[i] ?? 0)
  if (x.pre === y.pre) return false
  if (x.pre === '' || y.pre === '') return x.pre === ''
  return x.pre.localeCompare(y.pre, 'en', { numeric: true }) > 0
}
