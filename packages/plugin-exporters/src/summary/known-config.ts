import type { Json, JsonObject } from '@aiperf/core'

/** Keys that readers of a config know, each with what they know below it. `ANYTHING`: not looked into; `LIST`: nothing but a list. */
interface Known {
  readonly [key: string]: Known | typeof ANYTHING | typeof LIST
}
const ANYTHING = 'anything'
const LIST = 'list'

function keys(names: string, within: Known = {}): Known {
  return { ...Object.fromEntries(names.split(' ').map((name) => [name, ANYTHING] as const)), ...within }
}

const OF_ANY_PHASE = 'name kind type exclude_from_results requests duration sessions concurrency prefill_concurrency grace_period seamless failed_request_threshold'
const RAMP = keys('duration strategy')
const phase = (own: string, within: Known = {}): Known =>
  keys(`${OF_ANY_PHASE}${own === '' ? '' : ` ${own}`}`, { concurrency_ramp: RAMP, prefill_ramp: RAMP, cancellation: keys('rate delay'), ...within })
const RATED: Known = { rate_ramp: RAMP, rate_series: ANYTHING }
const PHASES: { readonly [type: string]: Known } = {
  concurrency: phase(''),
  constant: phase('rate', RATED),
  poisson: phase('rate', RATED),
  gamma: phase('rate smoothness', RATED),
  user_centric: phase('rate users', RATED),
  fixed_schedule: phase('auto_offset start_offset end_offset'),
}

const OF_ANY_DATASET = 'name type entries random_seed sampling osl system_prompt system_prompt_file'
const REPLAYED = 'inter_turn_delay_cap_seconds ignore_trace_delays cache_bust'
const SYNTHESIS = keys('speedup_ratio prefix_len_multiplier prefix_root_multiplier prompt_len_multiplier output_len_multiplier max_isl max_osl allow_dataset_wrap')
const DATASETS: { readonly [type: string]: Known } = {
  synthetic: keys(`${OF_ANY_DATASET} turns turn_delay turn_delay_ratio`, {
    prompts: keys('isl osl block_size batch_size cache_bust corpus random_range_ratio random_corpus_style', { sequence_distribution: LIST }),
    prefix_prompts: keys('pool_size length shared_system_length user_context_length'),
    images: keys('batch_size width height format source source_sampling'),
    audio: keys('batch_size length format sample_rates depths channels'),
    video: keys('batch_size duration fps width height format codec synth_type', { audio: keys('sample_rate channels codec depth') }),
    rankings: keys('passages passage_tokens query_tokens'),
  }),
  file: keys(`${OF_ANY_DATASET} ${REPLAYED} path records format block_size trace_session_sample_ratio max_idle_gap_cap_seconds replay_speedup open_loop_replay open_loop_strict omit_kv_hints force_min_tokens`, {
    synthesis: SYNTHESIS,
    prompts: keys('corpus'),
  }),
  public: keys(`${OF_ANY_DATASET} ${REPLAYED} dataset hf_subset filters`, { synthesis: SYNTHESIS, prompts: keys('corpus') }),
}

const SECTIONS: Known = {
  ...keys('slos datasets phases'),
  models: keys('strategy items'),
  endpoint: keys('urls url_strategy type path api_key timeout streaming transport connection_reuse use_legacy_max_tokens use_server_token_count per_chunk_usage headers extra download_video_content request_content_type session_header uuid_and_strip wait_for_model_timeout wait_for_model_interval wait_for_model_mode', {
    template: keys('body response_field'),
    reset_kv_cache: keys('timeout_seconds max_retry_seconds path'),
    server_profiler: keys('timeout_seconds start_path stop_path'),
  }),
  artifacts: keys('dir prefix summary records raw trace slice_duration show_trace_timing auto_plot plot_required export_outputs_json'),
  tokenizer: keys('name revision trust_remote_code apply_chat_template'),
  gpu_telemetry: keys('enabled urls metrics_file collector mode'),
  server_metrics: keys('enabled urls formats'),
  network_latency: keys('enabled ping_interval mean_ms'),
  runtime: keys('ui workers record_processors api_port api_host stats_interval'),
  accuracy: keys('benchmark tasks n_shots enable_cot grader system_prompt verbose'),
}

/** The parts of a config that its readers know: they refuse a file with any other key. */
export function known(config: JsonObject): JsonObject {
  const shown = pruned(config, SECTIONS) as JsonObject
  const each = (name: string, types: { readonly [type: string]: Known }): Json[] =>
    (shown[name] as JsonObject[]).map((entry) => pruned(entry, types[entry['type'] as string] ?? ANYTHING))
  return { ...shown, datasets: each('datasets', DATASETS), phases: each('phases', PHASES) }
}

function pruned(value: Json, shape: Known[string]): Json {
  if (typeof shape === 'string' || value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const below = Object.hasOwn(shape, key) ? shape[key]! : undefined
      return below === undefined || (below === LIST && !Array.isArray(inner)) ? [] : [[key, pruned(inner, below)]]
    }),
  )
}
