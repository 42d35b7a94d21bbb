import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Json } from '../contracts/dataset.js'
import type { Metric } from '../contracts/metric.js'
import type { MetricInfo } from '../host/plugin-index.js'
import { MANIFEST_FILE, type PackageManifest } from '../host/package-reader.js'
import { contributionFault, thingFault } from '../host/shape.js'
import { isJsonObject } from '../json.js'
import { API_VERSION, kindByName } from '../kinds.js'
import type { JsonSchema } from '../options/json-schema.js'

interface Declared {
  entry?: string
  options?: string
}

/**
 * Writes `aiperf.manifest.json` of a built plugin package: the options of each contribution as JSON Schema (zod's own
 * conversion, `.meta()` keys kept) and the metrics that metric modules define. Every entry is imported and checked.
 * Returns what is wrong; what can be described is written all the same.
 */
export async function buildManifest(directory: string): Promise<string[]> {
  const problems: string[] = []
  const json = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    aiperf?: { api?: number; contributes?: { [kind: string]: { [name: string]: Declared } } }
  }
  if (!json.aiperf) return ['package.json has no "aiperf" key: this is no plugin']
  if (json.aiperf.api !== API_VERSION) problems.push(`package.json must say "api": ${API_VERSION} for this version of @aiperf/core, it says ${json.aiperf.api}`)
  const manifest: PackageManifest = { contributions: {} }
  for (const [kindName, entries] of Object.entries(json.aiperf.contributes ?? {})) {
    const kind = kindByName(kindName)
    if (!kind) {
      problems.push(`there is no contribution kind "${kindName}"`)
      continue
    }
    for (const [name, declared] of Object.entries(entries)) {
      try {
        const exported = await importModule(directory, declared.entry)
        const module = exported['default']
        const fault = contributionFault(module, kind)
        if (fault) throw new Error(`${declared.entry} ${fault}`)
        const { options: inline, create } = module as { options?: unknown; create(context: unknown): unknown }
        const zodObject = declared.options === undefined ? inline : (await importModule(directory, declared.options))['default']
        const described: PackageManifest['contributions'][string][string] = { checks: typeof exported['check'] === 'function' }
        if (zodObject !== undefined) described.options = await jsonSchema(directory, zodObject)
        if (kind === 'metric') {
          const metrics = create(undefined)
          const wrong = thingFault(metrics, kind)
          if (wrong) throw new Error(`${declared.entry} ${wrong}`)
          described.metrics = (metrics as Metric[]).map(metricInfo)
        }
        ;(manifest.contributions[kindName] ??= {})[name] = described
      } catch (error) {
        problems.push(`${kindName} ${name}: ${(error as Error).message}`)
      }
    }
  }
  writeFileSync(join(directory, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`)
  // What is incomplete counts as outdated, so that the next build says again what is wrong.
  if (problems.length > 0) utimesSync(join(directory, MANIFEST_FILE), 0, 0)
  return problems
}

async function importModule(directory: string, file: string | undefined): Promise<Record<string, unknown>> {
  if (file === undefined) throw new Error('no "entry" module is named')
  return (await import(pathToFileURL(join(directory, file)).href)) as Record<string, unknown>
}

/** By the package's own copy of zod: `.meta()` is kept in a registry of that copy. */
async function jsonSchema(directory: string, zodObject: unknown): Promise<JsonSchema> {
  const zodPath = createRequire(join(directory, 'package.json')).resolve('zod')
  const { z } = (await import(pathToFileURL(zodPath).href)) as { z: { toJSONSchema(schema: unknown, options: object): object } }
  return withoutReferences(z.toJSONSchema(zodObject, { io: 'input' })) as JsonSchema
}

/** Recursive parts (any JSON value) are "anything" to us; keys that say nothing are left out. */
export function withoutReferences(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: Json) => {
      if (key === '$schema' || key === '$defs' || key === 'propertyNames') return undefined
      return isJsonObject(value) && typeof value['$ref'] === 'string' ? {} : value
    }),
  ) as object
}

function metricInfo(metric: Metric): MetricInfo {
  const { tag, header, unit, displayUnit, kind, gates, largerIsBetter, internal, description } = metric
  return {
    tag, header, unit, kind, description,
    ...(displayUnit === undefined ? {} : { displayUnit }),
    ...(gates === undefined ? {} : { gates }),
    ...(largerIsBetter === undefined ? {} : { largerIsBetter }),
    ...(internal === undefined ? {} : { internal }),
  }
}
