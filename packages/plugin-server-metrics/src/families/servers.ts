/** How a figure is read from a server's metrics. Of several names the first that the server shows is taken. */
export type Reading =
  | { from: 'gauge'; names: readonly string[]; where?: Readonly<Record<string, string>>; /** Several series (engines, replicas) add up, or are averaged. */ combine: 'sum' | 'mean'; scale?: number }
  /** Growth of counters per second, or over the phase. */
  | { from: 'rate' | 'total'; names: readonly string[]; scale?: number }
  /** Growth of the first over growth of the second; `together`: over the growth of all that `of` names. */
  | { from: 'share'; names: readonly string[]; of: readonly string[]; together?: boolean; scale?: number }
  | { from: 'histogram'; names: readonly string[]; scale?: number }
  /** Growth per second of what a histogram adds up. */
  | { from: 'sum-rate'; names: readonly string[]; scale?: number }

export type Role = 'running' | 'waiting' | 'kv' | 'hits' | 'preempted' | 'prompt' | 'output' | 'ttft' | 'itl' | 'latency' | 'queued' | 'accepted' | 'accepted-length' | 'batch' | 'failed'

export interface Figure {
  role: Role
  label: string
  /** Ways to read it, best first. */
  readings: readonly Reading[]
}

export interface Server {
  name: string
  /** Beginning of the names of its metrics. */
  prefix: RegExp
  figures: readonly Figure[]
}

const LABELS: Record<Role, string> = {
  running: 'Requests running',
  waiting: 'Requests waiting',
  kv: 'KV-cache use (%)',
  hits: 'Prefix-cache hits (%)',
  preempted: 'Preemptions, total',
  prompt: 'Prompt tokens (tokens/s)',
  output: 'Output tokens (tokens/s)',
  ttft: 'Time to first token, server (ms)',
  itl: 'Inter-token latency, server (ms)',
  latency: 'Request latency, server (ms)',
  queued: 'Time in queue (ms)',
  accepted: 'Draft tokens accepted (%)',
  'accepted-length': 'Accepted length (tokens)',
  batch: 'Batch size',
  failed: 'Failed requests, total',
}
const figure = (role: Role, ...readings: Reading[]): Figure => ({ role, label: LABELS[role], readings })
const sum = (...names: string[]): Reading => ({ from: 'gauge', names, combine: 'sum' })
const mean = (scale: number, ...names: string[]): Reading => ({ from: 'gauge', names, combine: 'mean', scale })
const rate = (...names: string[]): Reading => ({ from: 'rate', names })
const total = (...names: string[]): Reading => ({ from: 'total', names })
const share = (names: string[], of: string[]): Reading => ({ from: 'share', names, of, scale: 100 })
const times = (scale: number, ...names: string[]): Reading => ({ from: 'histogram', names, scale })
const some = (combine: 'sum' | 'mean', name: string, where: Record<string, string>, scale = 1): Reading => ({ from: 'gauge', names: [name], where, combine, scale })

/**
 * Servers whose metrics are known by name, from their public documentation. The same server under another's frontend (vLLM
 * below Dynamo) shows both families.
 */
export const SERVERS: readonly Server[] = [
  {
    name: 'vLLM',
    prefix: /^vllm:/,
    figures: [
      figure('running', sum('vllm:num_requests_running')),
      figure('waiting', sum('vllm:num_requests_waiting')),
      figure('kv', mean(100, 'vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc')),
      figure('hits', share(['vllm:prefix_cache_hits_total', 'vllm:gpu_prefix_cache_hits_total'], ['vllm:prefix_cache_queries_total', 'vllm:gpu_prefix_cache_queries_total']), mean(100, 'vllm:gpu_prefix_cache_hit_rate')),
      figure('preempted', total('vllm:num_preemptions_total')),
      figure('prompt', rate('vllm:prompt_tokens_total')),
      figure('output', rate('vllm:generation_tokens_total')),
      figure('ttft', times(1000, 'vllm:time_to_first_token_seconds')),
      figure('itl', times(1000, 'vllm:inter_token_latency_seconds', 'vllm:time_per_output_token_seconds')),
      figure('latency', times(1000, 'vllm:e2e_request_latency_seconds')),
      figure('queued', times(1000, 'vllm:request_queue_time_seconds')),
      figure('accepted', share(['vllm:spec_decode_num_accepted_tokens_total'], ['vllm:spec_decode_num_draft_tokens_total'])),
    ],
  },
  {
    name: 'SGLang',
    prefix: /^sglang[:_]/,
    figures: [
      figure('running', sum('sglang:num_running_reqs')),
      figure('waiting', sum('sglang:num_queue_reqs')),
      figure('kv', mean(100, 'sglang:token_usage')),
      figure('hits', share(['sglang:cached_tokens_total'], ['sglang:prompt_tokens_total']), mean(100, 'sglang:cache_hit_rate')),
      figure('preempted', total('sglang:num_retracted_reqs_total', 'sglang:num_retractions_total')),
      figure('prompt', rate('sglang:prompt_tokens_total')),
      figure('output', rate('sglang:generation_tokens_total'), sum('sglang:gen_throughput')),
      figure('ttft', times(1000, 'sglang:time_to_first_token_seconds')),
      figure('itl', times(1000, 'sglang:inter_token_latency_seconds', 'sglang:time_per_output_token_seconds')),
      figure('latency', times(1000, 'sglang:e2e_request_latency_seconds')),
      figure('queued', times(1000, 'sglang:queue_time_seconds')),
      figure('accepted', mean(100, 'sglang:spec_accept_rate')),
      figure('accepted-length', mean(1, 'sglang:spec_accept_length')),
    ],
  },
  {
    name: 'TensorRT-LLM',
    prefix: /^trtllm[:_]/,
    figures: [
      figure('running', sum('trtllm_num_requests_running')),
      figure('waiting', sum('trtllm_num_requests_waiting')),
      figure('kv', mean(100, 'trtllm_kv_cache_utilization')),
      figure('hits', { ...share(['trtllm_kv_cache_reused_blocks_total'], ['trtllm_kv_cache_reused_blocks_total', 'trtllm_kv_cache_missed_blocks_total']), together: true } as Reading, mean(100, 'trtllm_kv_cache_hit_rate')),
      figure('ttft', times(1000, 'trtllm_time_to_first_token_seconds')),
      figure('itl', times(1000, 'trtllm_time_per_output_token_seconds')),
      figure('latency', times(1000, 'trtllm_e2e_request_latency_seconds')),
      figure('queued', times(1000, 'trtllm_request_queue_time_seconds')),
    ],
  },
  {
    name: 'Triton',
    prefix: /^nv_(inference|trt_llm|llm|energy|gpu)_/,
    figures: [
      figure('running', some('sum', 'nv_trt_llm_request_metrics', { request_type: 'scheduled' }), some('sum', 'nv_trt_llm_request_metrics', { request_type: 'active' })),
      figure('waiting', some('sum', 'nv_trt_llm_request_metrics', { request_type: 'waiting' }), sum('nv_inference_pending_request_count')),
      figure('kv', some('mean', 'nv_trt_llm_kv_cache_block_metrics', { kv_cache_block_type: 'fraction' }, 100)),
      figure('ttft', times(1, 'nv_inference_first_response_histogram_ms')),
      figure('batch', { from: 'share', names: ['nv_inference_count'], of: ['nv_inference_exec_count'] }),
      figure('latency', { from: 'share', names: ['nv_inference_request_duration_us'], of: ['nv_inference_request_success'], scale: 1e-3 }),
      figure('queued', { from: 'share', names: ['nv_inference_queue_duration_us'], of: ['nv_inference_request_success'], scale: 1e-3 }),
      figure('failed', total('nv_inference_request_failure')),
    ],
  },
  {
    name: 'TGI',
    prefix: /^tgi_/,
    figures: [
      figure('running', sum('tgi_batch_current_size')),
      figure('waiting', sum('tgi_queue_size')),
      figure('prompt', { from: 'sum-rate', names: ['tgi_request_input_length'] }),
      figure('output', { from: 'sum-rate', names: ['tgi_request_generated_tokens'] }),
      figure('itl', times(1000, 'tgi_request_mean_time_per_token_duration')),
      figure('latency', times(1000, 'tgi_request_duration')),
      figure('queued', times(1000, 'tgi_request_queue_duration')),
      figure('failed', total('tgi_request_failure')),
    ],
  },
  {
    name: 'Dynamo',
    prefix: /^dynamo_/,
    figures: [
      figure('running', sum('dynamo_frontend_inflight_requests', 'dynamo_frontend_inflight_requests_total', 'dynamo_component_inflight_requests')),
      figure('waiting', sum('dynamo_frontend_queued_requests', 'dynamo_frontend_queued_requests_total')),
      figure('kv', mean(100, 'dynamo_component_kvstats_gpu_cache_usage_percent')),
      figure('hits', mean(100, 'dynamo_component_kvstats_gpu_prefix_cache_hit_rate')),
      figure('prompt', { from: 'sum-rate', names: ['dynamo_frontend_input_sequence_tokens'] }),
      figure('output', { from: 'sum-rate', names: ['dynamo_frontend_output_sequence_tokens'] }),
      figure('ttft', times(1000, 'dynamo_frontend_time_to_first_token_seconds')),
      figure('itl', times(1000, 'dynamo_frontend_inter_token_latency_seconds')),
      figure('latency', times(1000, 'dynamo_frontend_request_duration_seconds')),
    ],
  },
  {
    name: 'llama.cpp',
    prefix: /^llamacpp:/,
    figures: [
      figure('running', sum('llamacpp:requests_processing')),
      figure('waiting', sum('llamacpp:requests_deferred')),
      figure('kv', mean(100, 'llamacpp:kv_cache_usage_ratio')),
      figure('prompt', rate('llamacpp:prompt_tokens_total')),
      figure('output', rate('llamacpp:tokens_predicted_total')),
    ],
  },
]

/** The servers whose metrics are among the names. */
export function serversOf(names: Iterable<string>): Server[] {
  const list = [...new Set(names)]
  return SERVERS.filter(({ prefix }) => list.some((name) => prefix.test(name)))
}

const HEADERS = new Map(SERVERS.flatMap(({ figures }) => figures.flatMap(({ label, readings }) => readings.flatMap((r) => (r.from === 'gauge' && !r.where ? r.names.map((name) => [name, label.replace(/ \(.*\)$/, '')] as const) : [])))))

/** What people call a gauge that is a figure by itself; undefined for all others. */
export const gaugeHeader = (name: string): string | undefined => HEADERS.get(name)
