import { isJsonObject, type Json, type JsonObject } from '@aiperf/core'
import type { ComparedRun } from './load.js'

/** Something that must be the same on both sides and is not, or may differ and does. */
export interface Difference {
  path: string
  a: Json
  b: Json
}

/** Parts of the options that decide what was asked of the server, and how it was measured. */
const FIXED = ['endpoint.type', 'endpoint.streaming', 'endpoint.useServerTokenCount', 'endpoint.useLegacyMaxTokens', 'endpoint.extraInputs', 'endpoint.options', 'dataset', 'phases', 'slos', 'networkLatency', 'tokenizer']
/** Parts that are what a comparison is usually about, or that concern the client alone. */
const FREE = ['models', 'endpoint.urls', 'endpoint.headers', 'endpoint.path', 'endpoint.connectionReuse', 'endpoint.affinityHeaders', 'transport', 'runtime.workers', 'runtime.recorders']

/** What keeps two groups of runs from being compared, and what else is not the same. */
export function compareManifests(a: readonly ComparedRun[], b: readonly ComparedRun[]): { obstacles: Difference[]; others: Difference[] } {
  const [first, second] = [a[0]!.manifest, b[0]!.manifest]
  const obstacles: Difference[] = []
  const others: Difference[] = []
  const differ = (list: Difference[], path: string, one: Json | undefined, two: Json | undefined) => {
    for (const difference of leaves(path, one ?? null, two ?? null)) list.push(difference)
  }
  for (const path of FIXED) differ(obstacles, path, at(first.options, path), at(second.options, path))
  differ(obstacles, 'dataset.hash', first.dataset.hash, second.dataset.hash)
  differ(obstacles, 'dataset.sessions', first.dataset.sessions, second.dataset.sessions)
  if (first.tokenizer?.hash !== undefined && second.tokenizer?.hash !== undefined) differ(obstacles, 'tokenizer.hash', first.tokenizer.hash, second.tokenizer.hash)
  const seeds = (runs: readonly ComparedRun[]): Json => [...new Set(runs.map((run) => run.manifest.seed ?? null))].sort((x, y) => Number(x) - Number(y))
  const [one, two] = [seeds(a), seeds(b)]
  if (JSON.stringify(one) !== JSON.stringify(two)) obstacles.push({ path: 'seeds', a: one, b: two })
  const minor = (version: string) => version.split('.').slice(0, 2).join('.')
  if (minor(first.aiperfVersion) !== minor(second.aiperfVersion)) obstacles.push({ path: 'aiperf version', a: first.aiperfVersion, b: second.aiperfVersion })
  for (const path of FREE) differ(others, path, at(first.options, path), at(second.options, path))
  for (const key of ['cpu', 'cores', 'node', 'platform'] as const) differ(others, `client ${key}`, first.host[key], second.host[key])
  return { obstacles, others }
}

function at(options: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = options
  for (const key of path.split('.')) value = isJsonObject(value) ? value[key] : undefined
  return value
}

/** The leaves in which two values differ. */
function leaves(path: string, a: Json, b: Json): Difference[] {
  const isBranch = (v: Json): v is JsonObject | Json[] => typeof v === 'object' && v !== null
  if (isBranch(a) && isBranch(b) && Array.isArray(a) === Array.isArray(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)])
    return [...keys].flatMap((key) => leaves(`${path}.${key}`, (a as JsonObject)[key] ?? null, (b as JsonObject)[key] ?? null))
  }
  return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ path, a, b }]
}
