import type { JsonObject } from '../contracts/dataset.js'
import type { IndexedContribution, PluginIndex } from '../host/plugin-index.js'
import type { Kind } from '../kinds.js'
import { coreSchemas } from './core-schemas.js'
import type { JsonSchema } from './json-schema.js'

/** A contribution that has an option, with its own schema of it (bounds and defaults may differ between owners). */
interface Owner {
  contribution: IndexedContribution
  schema: JsonSchema
}

/**
 * One option of a run: a place in the model with its names. Two contributions that have the same option (same path, same
 * flag) share an entry. Core's own options have no owners.
 */
export interface OptionEntry {
  /** Within the `benchmark` mapping, dotted: `endpoint.urls`; `phases.*.rate` within a phase; `^randomSeed` beside it. */
  path: string
  schema: JsonSchema
  /** Flag and aliases; empty: config file and variables only. */
  names: readonly string[]
  warmupNames: readonly string[]
  variables: readonly string[]
  warmupVariables: readonly string[]
  group: string
  owners: Owner[]
}

/** A mapping of config files: the keys it may hold. */
export interface OptionNode {
  children: Map<string, OptionNode>
  entries: OptionEntry[]
  /** Key that a bare value stands for. */
  shorthand?: string
  /** A string is the name of a JSON file. */
  file?: boolean
}

export interface OptionTable {
  entries: OptionEntry[]
  byName: Map<string, { entry: OptionEntry; warmup: boolean }>
  byVariable: Map<string, { entry: OptionEntry; warmup: boolean }>
  /** Keys of the `benchmark` mapping; a phase's stand under `phases`, `*`. */
  body: OptionNode
  /** Keys that stand beside `benchmark`. */
  envelope: OptionNode
  /** Contributions whose flags are taken by somebody else, and what to say of it. */
  clashes: Map<IndexedContribution, string>
}

export const PHASE = 'phases.*'
/** The key of a phase's option within the phase. */
export const phaseKey = (entry: OptionEntry): string => entry.path.slice(PHASE.length + 1)

/** Where the options of each kind stand in the model. Kinds that are not here have no options of a run. */
const MOUNT: Partial<Record<Kind, (name: string, meta: JsonObject) => string>> = {
  endpoint: () => 'endpoint',
  transport: () => 'transport',
  dataset_loader: () => 'dataset',
  tokenizer: () => 'tokenizer',
  timing_mode: () => PHASE,
  accuracy_benchmark: () => 'accuracy',
  accuracy_grader: () => 'accuracy',
  metric: () => 'metrics',
  exporter: () => 'artifacts',
  // Sources of one family (GPUs) share a section, and with it their flags.
  telemetry_source: (name, { section }) => (typeof section === 'string' ? section : camel(name)),
  ui: () => 'ui',
  search_recipe: () => '^sweep',
  search_planner: () => '^sweep',
  convergence_criterion: () => '^multiRun.convergence',
}
export const mountOf = (contribution: IndexedContribution): string | undefined => MOUNT[contribution.kind]?.(contribution.name, contribution.meta)

/** `gpu_telemetry` → `gpuTelemetry`. */
export const camel = (name: string): string => name.replaceAll(/[-_]+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())
/** `--request-rate` → `AIPERF_REQUEST_RATE`. */
const variableOf = (flag: string): string => `AIPERF_${flag.replace(/^-+/, '').replaceAll('-', '_').toUpperCase()}`

/** Every option that core and the installed packages have, with all its names. */
export function buildTable(index: PluginIndex): OptionTable {
  const table = emptyTable()
  const schemas = coreSchemas()
  addOptions(table, table.body, schemas.body, '', undefined)
  addOptions(table, child(child(table.body, 'phases'), '*'), schemas.phase, PHASE, undefined)
  addOptions(table, table.envelope, schemas.envelope, '^', undefined)
  for (const contribution of index.contributions) {
    const mount = mountOf(contribution)
    if (mount === undefined || !contribution.options) continue
    let node = mount.startsWith('^') ? table.envelope : table.body
    for (const key of mount.replace('^', '').split('.')) node = child(node, key)
    addOptions(table, node, contribution.options, mount, contribution)
  }
  return table
}

/** The options of one contribution alone, `mount` their place: those of a command of its own. */
export function tableOf(contribution: IndexedContribution, mount: string): OptionTable {
  const table = emptyTable()
  if (contribution.options) addOptions(table, child(table.body, mount), contribution.options, mount, contribution)
  return table
}

const emptyTable = (): OptionTable => ({ entries: [], byName: new Map(), byVariable: new Map(), body: newNode(), envelope: newNode(), clashes: new Map() })
const newNode = (): OptionNode => ({ children: new Map(), entries: [] })
function child(node: OptionNode, key: string): OptionNode {
  let found = node.children.get(key)
  if (!found) node.children.set(key, (found = newNode()))
  return found
}

function addOptions(table: OptionTable, node: OptionNode, schema: JsonSchema, path: string, contribution: IndexedContribution | undefined): void {
  if (schema.shorthand !== undefined) node.shorthand = schema.shorthand
  if (schema.file) node.file = true
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const below = child(node, key)
    const place = path === '' || path === '^' ? `${path}${key}` : `${path}.${key}`
    if (property.properties && property.flag === undefined) addOptions(table, below, property, place, contribution)
    else addEntry(table, below, property, place, contribution)
  }
}

function addEntry(table: OptionTable, node: OptionNode, schema: JsonSchema, path: string, contribution: IndexedContribution | undefined): void {
  const flag = schema.flag
  let entry = node.entries.find((e) => e.names[0] === flag)
  if (!entry) {
    const names = flag === undefined ? [] : [flag, ...(schema.aliases ?? [])]
    const warmupNames = schema.warmupFlag === undefined ? [] : [schema.warmupFlag, ...(schema.warmupAliases ?? [])]
    const taken = contribution && [...names, ...warmupNames].find((name) => table.byName.has(name))
    if (taken) {
      const [other] = table.byName.get(taken)!.entry.owners
      table.clashes.set(contribution, `its flag ${taken} is already a flag of ${other ? `the ${other.contribution.kind.replaceAll('_', ' ')} ${other.contribution.name} (${other.contribution.package})` : 'AIPerf itself'}`)
      return
    }
    const long = (flags: readonly string[]) => flags.filter((name) => name.startsWith('--')).map(variableOf)
    entry = {
      path, schema, names, warmupNames, owners: [],
      variables: [...long(names), ...(schema.env ?? [])],
      warmupVariables: long(warmupNames),
      group: schema.group ?? 'Other',
    }
    table.entries.push(entry)
    node.entries.push(entry)
    for (const name of names) table.byName.set(name, { entry, warmup: false })
    for (const name of warmupNames) table.byName.set(name, { entry, warmup: true })
    for (const name of entry.variables) if (!table.byVariable.has(name)) table.byVariable.set(name, { entry, warmup: false })
    for (const name of entry.warmupVariables) if (!table.byVariable.has(name)) table.byVariable.set(name, { entry, warmup: true })
  }
  if (contribution) entry.owners.push({ contribution, schema })
}

/** Writes a value at a dotted path, making the mappings on the way. */
export function setAt(target: JsonObject, path: string, value: JsonObject[string]): void {
  const keys = path.split('.')
  let at = target
  for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as JsonObject
  at[keys.at(-1)!] = value
}
