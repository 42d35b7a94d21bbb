import type { Kind } from '../kinds.js'

/** Methods that a thing of each kind must have: the least of its contract, checked when it is made. */
const METHODS: Record<Kind, readonly string[]> = {
  endpoint: ['encode', 'decoder', 'inputTexts'],
  transport: ['open', 'send', 'close'],
  dataset_loader: ['load'],
  dataset_sampler: ['at'],
  tokenizer: ['encode', 'decode', 'count'],
  timing_mode: ['plan'],
  arrival_pattern: ['gaps'],
  ramp: ['curve'],
  metric: [],
  exporter: ['write'],
  telemetry_source: ['discover'],
  search_recipe: ['expand'],
  search_planner: ['ask', 'tell', 'summary', 'snapshot', 'restore'],
  convergence_criterion: ['converged'],
  url_strategy: ['choose'],
  plot: ['draw'],
  tool: ['run'],
  ui: ['update', 'log', 'close'],
  accuracy_benchmark: ['problems'],
  accuracy_grader: ['grade'],
}

/** What the default export of an entry module lacks; undefined when it is a contribution of this kind. */
export function contributionFault(value: unknown, kind: Kind): string | undefined {
  if (typeof value !== 'object' || value === null) return 'has no default export made by a define function of @aiperf/core'
  const { kind: actual, create } = value as { kind?: unknown; create?: unknown }
  if (actual !== kind) return `exports a contribution of kind ${JSON.stringify(actual)}, expected "${kind}"`
  if (typeof create !== 'function') return 'exports a contribution without a create function'
  return undefined
}

/** What a created thing lacks of its kind's contract; undefined when nothing. */
export function thingFault(thing: unknown, kind: Kind): string | undefined {
  if (kind === 'metric') {
    const fine = Array.isArray(thing) && thing.every((m) => typeof m?.tag === 'string' && typeof m.kind === 'string' && typeof m.compute === 'function')
    return fine ? undefined : 'does not create a list of metrics with tag, kind and compute'
  }
  if (typeof thing !== 'object' || thing === null) return `creates ${thing === null ? 'null' : typeof thing}, expected an object`
  const missing = METHODS[kind].filter((name) => typeof (thing as { [key: string]: unknown })[name] !== 'function')
  return missing.length === 0 ? undefined : `creates a thing without ${missing.join(', ')}`
}
