/**
 * The table of contribution kinds. Adding a kind is one row here and one contract in `contracts/`.
 *
 * `aliases` are the category names of the Python reference, accepted wherever a kind is named.
 */
export const KINDS = {
  endpoint: { title: 'Endpoint types: what to send, and what a frame of the answer means', aliases: [] },
  transport: { title: 'Transports: move the bytes of a request and stamp what happens', aliases: ['transport_client'] },
  dataset_loader: {
    title: 'Dataset loaders: turn a file, a public set or nothing into sessions',
    aliases: ['custom_dataset_loader', 'public_dataset_loader', 'dataset_composer'],
  },
  dataset_sampler: { title: 'Dataset samplers: which session is played next', aliases: [] },
  tokenizer: { title: 'Tokenizers: text to tokens and back', aliases: [] },
  timing_mode: { title: 'Timing modes: options in, load plan out', aliases: ['timing_strategy'] },
  arrival_pattern: { title: 'Arrival patterns: the law of the gaps between arrivals', aliases: [] },
  ramp: { title: 'Ramps: the curve by which a limit or rate reaches its value', aliases: [] },
  metric: { title: 'Metrics: numbers computed from records and from other metrics', aliases: [] },
  exporter: {
    title: 'Exporters: functions of a finished run that write files or print',
    aliases: ['data_exporter', 'console_exporter', 'stream_exporter', 'record_observer'],
  },
  telemetry_source: {
    title: 'Telemetry sources: series sampled beside the run',
    aliases: ['gpu_telemetry_collector'],
  },
  search_recipe: { title: 'Search recipes: what operating point to look for', aliases: [] },
  search_planner: { title: 'Search planners: where to look next', aliases: [] },
  convergence_criterion: { title: 'Convergence criteria: when repeated runs agree', aliases: [] },
  url_strategy: { title: 'URL strategies: which server gets the next session', aliases: ['url_selection_strategy'] },
  plot: { title: 'Plots: pictures of one or several runs', aliases: [] },
  tool: { title: 'Tools: commands beside a run', aliases: [] },
  ui: { title: 'User interfaces shown while a run goes on', aliases: [] },
  accuracy_benchmark: { title: 'Accuracy benchmarks: problems with known answers', aliases: [] },
  accuracy_grader: { title: 'Accuracy graders: is an answer right', aliases: [] },
} as const satisfies Record<string, { title: string; aliases: readonly string[] }>

/** The name of a contribution kind, as used in `package.json` and by `aiperf plugins <kind>`. */
export type Kind = keyof typeof KINDS

/** The version of the plugin contract this core speaks. A plugin states the one it was written for. */
export const API_VERSION = 1

/** Resolves a kind by its name, its plural or a category name of the reference; undefined when there is none. */
export function kindByName(name: string): Kind | undefined {
  const wanted = name.toLowerCase().replaceAll('-', '_')
  for (const [kind, row] of Object.entries(KINDS) as [Kind, { aliases: readonly string[] }][])
    if (wanted === kind || wanted === `${kind}s` || row.aliases.includes(wanted)) return kind
  return undefined
}
