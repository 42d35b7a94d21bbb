import type { Json, JsonObject, RunManifest } from '@aiperf/core'

/** Objects whose keys are names of the user's, not of ours. */
const FREE_KEYS = new Set(['slos', 'extra', 'extraInputs', 'headers', 'variables'])

/** Phase types of config files, by timing mode and arrival pattern. */
function phaseType(mode: string, pattern: unknown): string {
  if (mode !== 'request_rate') return mode
  return typeof pattern === 'string' ? pattern : 'poisson'
}

/**
 * What the user set, in the form of a config file's `benchmark` body as readers know it: snake case, lists of models and
 * datasets, phases with their type, and these even where nobody gave them.
 */
export function inputConfig(manifest: RunManifest): JsonObject {
  const { models, datasets, phases, ...rest } = renamed(snake(manifest.explicitOptions) as Sections)
  return {
    models: models ?? { items: manifest.endpoint.models.map((name) => ({ name })) },
    ...rest,
    endpoint: { ...rest['endpoint'], type: manifest.endpoint.type },
    datasets: objects(datasets ?? [{ name: 'main' }]).map((dataset) => ({ type: manifest.dataset.loader, ...dataset })),
    phases: manifest.phases.map((info) => ({
      ...objects(phases).find((phase) => phase['name'] === info.name),
      name: info.name,
      kind: info.kind,
      type: phaseType(info.mode, info.options['pattern']),
      ...(info.kind === 'warmup' ? { exclude_from_results: true } : {}),
    })),
  }
}

type Sections = { [section: string]: JsonObject }

/** Options that stand elsewhere, or say the opposite, in the form that readers know. */
function renamed({ ui, ...sections }: Sections): Sections {
  const { level, ...artifacts } = sections['artifacts'] ?? {}
  const { disabled, ...serverMetrics } = sections['server_metrics'] ?? {}
  return {
    ...sections,
    ...(ui === undefined ? {} : { runtime: { ...sections['runtime'], ui: ui['type']! } }),
    ...(level === undefined ? {} : { artifacts: { ...artifacts, ...(level === 'raw' ? { raw: true } : level === 'summary' ? { records: false } : {}) } }),
    ...(disabled === undefined ? {} : { server_metrics: { ...serverMetrics, enabled: !disabled } }),
  }
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : []
}

function snake(value: Json): Json {
  if (Array.isArray(value)) return value.map(snake)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), FREE_KEYS.has(key) ? inner : snake(inner)]))
}
