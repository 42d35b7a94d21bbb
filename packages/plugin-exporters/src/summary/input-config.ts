import type { Json, JsonObject, RunManifest } from '@aiperf/core'
import { known } from './known-config.js'

/** Objects whose keys are names of the user's, not of ours. */
const FREE_KEYS = new Set(['slos', 'extra', 'extraInputs', 'headers', 'variables'])

/**
 * What the user set, in the form of a config file's `benchmark` body as readers know it: snake case, lists of models and
 * datasets, phases with their type, the results folder, and these even where nobody gave them. What those readers have no
 * name for stands in `resolved_config`.
 */
export function inputConfig(manifest: RunManifest): JsonObject {
  const { models, datasets, phases, ...rest } = renamed(snake(manifest.explicitOptions) as Sections)
  return known({
    models: models ?? { items: manifest.endpoint.models.map((name) => ({ name })) },
    ...rest,
    // Readers that check paths refuse their own default.
    artifacts: { dir: (manifest.options['artifacts'] as JsonObject)['dir']!, ...rest['artifacts'] },
    endpoint: { ...rest['endpoint'], type: manifest.endpoint.type },
    datasets: objects(datasets ?? [{ name: 'main' }]).map((dataset) => datasetOf(dataset, manifest.dataset.loader)),
    phases: manifest.phases.map((info) => ({
      ...objects(phases).find((phase) => phase['name'] === info.name),
      name: info.name,
      kind: info.kind,
      type: phaseType(info.mode, info.options),
      ...(info.kind === 'warmup' ? { exclude_from_results: true } : {}),
    })),
  })
}

type Sections = { [section: string]: JsonObject }

/** Phase types of config files, by timing mode and arrival pattern. One that adapts its load is of the type of what it adapts. */
function phaseType(mode: string, { pattern, rate }: JsonObject): string {
  if (mode === 'adaptive_scale' && rate === undefined) return 'concurrency'
  if (mode !== 'request_rate' && mode !== 'adaptive_scale') return mode
  return typeof pattern === 'string' ? pattern : 'poisson'
}

/** A dataset by where it comes from; what is asked of texts stands higher up where they are not made. */
function datasetOf({ type: _, public_dataset: published, prompts, ...rest }: JsonObject, loader: string): JsonObject {
  const { block_size: blockSize, osl, ...of } = (prompts ?? {}) as JsonObject
  const given = { ...rest, ...defined({ osl }), ...(Object.keys(of).length > 0 ? { prompts: of } : {}) }
  if (published !== undefined) return { type: 'public', dataset: published, ...given }
  if ('path' in rest || 'records' in rest) return { type: 'file', format: loader, ...given, ...defined({ block_size: blockSize }) }
  return { type: 'synthetic', ...rest, ...defined({ prompts }) }
}

const LEVELS: { readonly [level: string]: JsonObject } = { summary: { records: false }, raw: { raw: true } }

/** Options that stand elsewhere, have another name, or say the opposite, in the form that readers know. */
function renamed(sections: Sections): Sections {
  const { artifacts = {}, runtime = {}, server_metrics: server = {}, gpu_telemetry: gpu = {}, network_latency: network = {}, endpoint = {}, ui, model_selection: strategy, models } = sections
  const { payload_template: body, response_field: field } = endpoint
  const enabled = ({ disabled }: JsonObject): JsonObject => (disabled === undefined ? {} : { enabled: !disabled })
  return {
    ...sections,
    ...section('models', { ...models, ...defined({ strategy: strategy as Json | undefined }) }),
    ...section('artifacts', { ...artifacts, ...LEVELS[artifacts['level'] as string] }),
    ...section('runtime', { ...runtime, ...defined({ ui: ui?.['type'], record_processors: runtime['recorders'] }) }),
    ...section('server_metrics', { ...server, ...enabled(server), ...defined({ formats: artifacts['server_metrics_formats'] }) }),
    ...section('gpu_telemetry', { ...gpu, ...enabled(gpu) }),
    ...section('network_latency', { ...network, ...defined({ mean_ms: network['mean'] }) }),
    ...section('endpoint', { ...endpoint, ...(body === undefined ? {} : { template: { body, ...defined({ response_field: field }) } }) }),
  }
}

function section(name: string, values: JsonObject): Sections {
  return Object.keys(values).length > 0 ? { [name]: values } : {}
}

function defined(values: { [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : []
}

function snake(value: Json): Json {
  if (Array.isArray(value)) return value.map(snake)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), FREE_KEYS.has(key) ? inner : snake(inner)]))
}
