import type { Json, JsonObject, RunManifest } from '@aiperf/core'

/** Objects whose keys are names of the user's, not of ours. */
const FREE_KEYS = new Set(['slos', 'extra', 'extraInputs', 'headers', 'variables'])

/** Phase types of config files, by timing mode and arrival pattern. */
function phaseType(mode: string, pattern: unknown): string {
  if (mode !== 'request_rate') return mode
  return typeof pattern === 'string' ? pattern : 'poisson'
}

/**
 * What the user set, in the form of a config file's `benchmark` body as the reference writes it: snake case, lists of
 * models and datasets, phases with their type.
 */
export function inputConfig(manifest: RunManifest): JsonObject {
  const { models, dataset, phases, endpoint, ...rest } = snake(manifest.explicitOptions) as JsonObject
  const shown = Array.isArray(phases) ? (phases as JsonObject[]) : []
  return {
    ...(Array.isArray(models) ? { models: { items: models.map((name) => (typeof name === 'string' ? { name } : name)) } } : {}),
    endpoint: { ...(endpoint as JsonObject | undefined), type: manifest.endpoint.type },
    datasets: [{ name: 'main', type: manifest.dataset.loader, ...(dataset as JsonObject | undefined) }],
    phases: manifest.phases.map((info) => {
      const given = shown.find((p) => p['name'] === info.name) ?? {}
      return {
        name: info.name,
        kind: info.kind,
        type: phaseType(info.mode, info.options['pattern']),
        ...(info.kind === 'warmup' ? { exclude_from_results: true } : {}),
        ...given,
      }
    }),
    ...rest,
  }
}

function snake(value: Json): Json {
  if (Array.isArray(value)) return value.map(snake)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), FREE_KEYS.has(key) ? inner : snake(inner)]))
}
