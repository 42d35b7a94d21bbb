import type { Json } from '../contracts/dataset.js'
import type { PluginIndex } from '../host/plugin-index.js'
import type { JsonSchema } from './json-schema.js'
import { namesFor } from './selection.js'
import type { OptionEntry, OptionTable } from './table.js'

/** What help, documentation and completion say of one flag. */
export interface HelpOption {
  names: readonly string[]
  warmupNames: readonly string[]
  variables: readonly string[]
  /** Config path, phases by `phases[]`. */
  path: string
  /** `<ms>`; undefined for a flag that takes no value. */
  value: string | undefined
  description: string
  default: Json | undefined
  choices: readonly string[] | undefined
  /** May be given several times. */
  repeats: boolean
  /** A comma list asks for a sweep. */
  sweeps: boolean
  /** Contributions it applies to, `kind name`; empty: all runs. */
  appliesTo: readonly string[]
}
export interface HelpGroup {
  title: string
  options: HelpOption[]
}

const ORDER = [
  'Endpoint', 'Tokenizer', 'Input', 'Conversation Input', 'Input Sequence Length (ISL)', 'Output Sequence Length (OSL)', 'Prompt', 'Prefix Prompt',
  'Load Generator', 'Warmup', 'Fixed Schedule', 'User-Centric Rate', 'Request Cancellation', 'Goodput', 'Output', 'HTTP Trace', 'Network Latency', 'Server Control',
  'GPU Telemetry', 'Server Metrics', 'UI', 'Workers', 'HTTP', 'Repeated Runs', 'Sweeps', 'Search',
]

/** Every flag of core and the installed packages, grouped as help shows them. */
export function helpGroups(index: PluginIndex, table: OptionTable): HelpGroup[] {
  const groups = new Map<string, HelpOption[]>()
  for (const entry of table.entries) {
    if (entry.names.length === 0 || entry.schema.hidden) continue
    const options = groups.get(entry.group) ?? []
    groups.set(entry.group, options)
    options.push(helpOption(index, entry))
  }
  const rank = (title: string) => (ORDER.includes(title) ? ORDER.indexOf(title) : ORDER.length)
  return [...groups].map(([title, options]) => ({ title, options })).sort((a, b) => rank(a.title) - rank(b.title) || a.title.localeCompare(b.title))
}

function helpOption(index: PluginIndex, entry: OptionEntry): HelpOption {
  const { schema } = entry
  const choices = schema.contribution ? namesFor(schema, index).sort() : enumOf(schema)
  return {
    names: entry.names,
    warmupNames: entry.warmupNames,
    variables: entry.variables,
    path: entry.path.replace('^', '').replace('phases.*', 'phases[]'),
    value: schema.type === 'boolean' ? undefined : (schema.value ?? (choices ? '<choice>' : schema.type === 'string' ? '<text>' : '<value>')),
    description: schema.description ?? '',
    default: schema.default ?? entry.owners.find((o) => o.schema.default !== undefined)?.schema.default,
    choices,
    repeats: schema.type === 'array' || schema.text === 'pairs',
    sweeps: schema.comma === 'sweep',
    appliesTo: entry.owners.map((o) => `${o.contribution.kind.replaceAll('_', ' ')} ${o.contribution.name}`),
  }
}

function enumOf(schema: JsonSchema): string[] | undefined {
  if (schema.enum) return schema.enum.map(String)
  const inner = typeof schema.items === 'object' ? schema.items.enum : undefined
  return inner?.map(String)
}
