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
 * datasets, phases with their type, the results folder, and these even where nobody gave them.
 */
export function inputConfig(manifest: RunManifest): JsonObject {
  const { models, datasets, phases, ...rest } = renamed(snake(manifest.explicitOptions) as Sections)
  return {
    models: models ?? { items: manifest.endpoint.models.map((name) => ({ name })) },
    ...rest,
    // Readers that check paths refuse their own default.
    artifacts: { dir: (manifest.options['artifacts'] as JsonObject)['dir']!, ...rest['artifacts'] },
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

/** Options that those readers refuse, having none of the kind; `resolved_config` has them. */
const UNKNOWN: { readonly [section: string]: readonly string[] } = {
  artifacts: ['level', 'parquet', 'report', 'server_metrics_formats', 'width'],
  runtime: ['calibrate', 'output', 'recorders', 'strict', 'verbose'],
  server_metrics: ['disabled'],
}
const LEVELS: { readonly [level: string]: JsonObject } = { summary: { records: false }, raw: { raw: true } }

/** Options that stand elsewhere, have another name, or say the opposite, in the form that readers know. */
function renamed({ ui, ...sections }: Sections): Sections {
  const { artifacts = {}, runtime = {}, server_metrics: server = {} } = sections
  const { server_metrics_formats: formats } = artifacts
  const said: Sections = {
    artifacts: LEVELS[artifacts['level'] as string] ?? {},
    runtime: { ...(ui === undefined ? {} : { ui: ui['type']! }), ...(runtime['recorders'] === undefined ? {} : { record_processors: runtime['recorders'] }) },
    server_metrics: { ...(server['disabled'] === undefined ? {} : { enabled: !server['disabled'] }), ...(formats === undefined ? {} : { formats }) },
  }
  const result: Sections = { ...sections }
  for (const [name, unknown] of Object.entries(UNKNOWN)) {
    const section = { ...Object.fromEntries(Object.entries(sections[name] ?? {}).filter(([key]) => !unknown.includes(key))), ...said[name] }
    if (name in sections || Object.keys(section).length > 0) result[name] = section
  }
  return result
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : []
}

function snake(value: Json): Json {
  if (Array.isArray(value)) return value.map(snake)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), FREE_KEYS.has(key) ? inner : snake(inner)]))
}
