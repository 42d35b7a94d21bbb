import type { Json, JsonObject } from '../contracts/dataset.js'
import type { TimingMeta } from '../contracts/timing.js'
import { isJsonObject } from '../json.js'
import { Chosen } from './chosen.js'
import type { Given } from './given.js'
import type { ResolvedPhase } from './phases.js'
import { redactExplicit } from './redact.js'
import { PHASE, setAt, type OptionEntry } from './table.js'

/**
 * What was set, as the `benchmark` mapping of a config file would say it: keys in snake case, one dataset, the phases with
 * their types. Secrets are replaced by `<redacted>`. Files of results carry it, and a config file may begin as a copy.
 */
export function explicitOptions(given: readonly Given[], phases: readonly ResolvedPhase[]): JsonObject {
  const body: JsonObject = {}
  for (const { entry, value } of new Chosen(given.filter((g) => !g.entry.path.startsWith(`${PHASE}.`) && !g.entry.path.startsWith('^'))).values()) setAt(body, snakePath(entry.path), inSnake(entry, value))
  const shown = redactExplicit(body)
  const { models, model_selection: strategy, dataset, endpoint, ...rest } = shown
  const headers = isJsonObject(endpoint) && Array.isArray(endpoint['headers']) ? { headers: Object.fromEntries(endpoint['headers'] as [string, Json][]) } : {}
  return {
    ...(models === undefined && strategy === undefined ? {} : { models: { ...(strategy === undefined ? {} : { strategy }), items: ((models ?? []) as Json[]).map((name) => ({ name })) } }),
    ...(isJsonObject(endpoint) ? { endpoint: { ...endpoint, ...headers } } : {}),
    ...(isJsonObject(dataset) ? { datasets: [{ name: 'main', ...dataset }] } : {}),
    phases: phases.map(phaseOptions),
    ...rest,
  }
}

function phaseOptions({ draft, choice, model }: ResolvedPhase): JsonObject {
  const phase: JsonObject = { name: draft.name, kind: draft.kind, type: typeOf(choice.mode.meta as unknown as TimingMeta, model.mode, model.options) }
  for (const [path, { value, entries }] of draft.file) if (path !== 'type') setAt(phase, snakePath(path), inSnake(entries[0]!, value))
  for (const { entry, value } of draft.chosen.values()) setAt(phase, snakePath(entry.path.slice(PHASE.length + 1)), inSnake(entry, value))
  for (const [path, { value }] of draft.point) setAt(phase, snakePath(path), value)
  // An end that follows from nothing the user set is part of what was run.
  if (model.requests !== undefined) phase['requests'] = model.requests
  if (model.durationSeconds !== undefined && phase['grace_period'] === undefined && model.graceSeconds !== null) phase['grace_period'] = model.graceSeconds
  return phase
}

/** The phase type that stands for these options, else the mode's own name. */
function typeOf(meta: TimingMeta, mode: string, options: JsonObject): string {
  const types = Object.entries(meta.types ?? {}).filter(([, implied]) => Object.keys(implied).length > 0)
  return types.find(([, implied]) => Object.entries(implied).every(([key, value]) => options[key] === value))?.[0] ?? mode
}

const snake = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const snakePath = (path: string): string => path.split('.').map(snake).join('.')

/** Keys of options are ours and change their form; keys of free mappings are the user's and do not. */
function inSnake({ schema }: Pick<OptionEntry, 'schema'>, value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => inSnake({ schema: typeof schema.items === 'object' ? schema.items : {} }, item))
  if (!isJsonObject(value) || !schema.properties) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snake(key), inSnake({ schema: schema.properties![key] ?? {} }, item)]))
}
