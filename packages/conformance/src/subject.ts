import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom, type JsonObject, type Kind, type Random } from '@aiperf/core'
import { buildIndex, createHost, type ContextOf, type Host, type IndexedContribution, type PluginIndex, type ThingOf } from '@aiperf/core/host'
import { withDefaults } from '@aiperf/core/options'
import { within } from './checks.js'

/** How long `create` may take, ms: a run waits no longer for it either. */
const CREATE_MS = 20_000

/** One contribution of the package under test. */
export interface Subject<K extends Kind = Kind> {
  readonly kind: K
  readonly name: string
  readonly declared: IndexedContribution
  /** The manifest entry's `meta`. */
  readonly meta: JsonObject
  readonly host: Host
  /** The options given, the rest by default, as a run would complete them. */
  options(given?: JsonObject): JsonObject
  /** Makes the thing as a run would, checks included. */
  create(context: ContextOf<K>): Promise<ThingOf<K>>
}

/** A stream of random numbers by name, as the host hands them out. */
export const randomOf = (seed: number) => (name: string): Random => createRandom(seed, name)

/** The package in a folder, as the program would read it. */
export function openPackage(where: string | URL): { directory: string; index: PluginIndex; host: Host } {
  const directory = resolve(typeof where === 'string' ? (where.startsWith('file:') ? fileURLToPath(where) : where) : fileURLToPath(where))
  const index = buildIndex([{ directory, origin: 'linked' }])
  return { directory, index, host: createHost(index) }
}

export function subjectOf<K extends Kind>(host: Host, declared: IndexedContribution & { kind: K }): Subject<K> {
  return {
    kind: declared.kind,
    name: declared.name,
    declared,
    meta: declared.meta,
    host,
    options: (given = {}) => (declared.options ? (withDefaults(declared.options, given) as JsonObject) : given),
    create: (context) => within(CREATE_MS, `create of the ${declared.kind} ${declared.name}`, host.activate(declared.kind, declared.name, context)),
  }
}
