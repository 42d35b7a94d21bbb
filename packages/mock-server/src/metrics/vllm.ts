import { Histogram } from './histogram.js'

const TTFT_BOUNDS_S = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80]
const E2E_BOUNDS_S = [0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920]

/** What is going on at this moment. */
export interface Load {
  readonly running: number
  readonly waiting: number
  /** Share of the KV cache that running requests use, 0 to 1. */
  readonly kvCacheUsage: number
}

/** The server's metrics under the names that vLLM gives them. They only ever grow: a reset of the truth leaves them. */
export class VllmMetrics {
  promptTokens = 0
  generationTokens = 0
  prefixCacheQueries = 0
  prefixCacheHits = 0
  readonly ttft = new Histogram('vllm:time_to_first_token_seconds', 'Histogram of time to first token in seconds.', TTFT_BOUNDS_S)
  readonly e2e = new Histogram('vllm:e2e_request_latency_seconds', 'Histogram of e2e request latency in seconds.', E2E_BOUNDS_S)
  readonly #finished = new Map<string, number>([['stop', 0], ['length', 0], ['abort', 0], ['error', 0]])

  finished(reason: string): void {
    this.#finished.set(reason, (this.#finished.get(reason) ?? 0) + 1)
  }

  /** The Prometheus text format, version 0.0.4. */
  expose(model: string, load: Load): string {
    const label = `model_name="${model.replace(/["\\\n]/g, (unit) => (unit === '\n' ? '\\n' : `\\${unit}`))}"`
    const one = (name: string, type: string, help: string, value: number) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name}{${label}} ${value}\n`
    const reasons = [...this.#finished].map(([reason, count]) => `vllm:request_success_total{${label},finished_reason="${reason}"} ${count}\n`)
    return [
      one('vllm:num_requests_running', 'gauge', 'Number of requests in model execution batches.', load.running),
      one('vllm:num_requests_waiting', 'gauge', 'Number of requests waiting to be processed.', load.waiting),
      one('vllm:kv_cache_usage_perc', 'gauge', 'KV-cache usage. 1 means 100 percent usage.', load.kvCacheUsage),
      one('vllm:prompt_tokens_total', 'counter', 'Number of prefill tokens processed.', this.promptTokens),
      one('vllm:generation_tokens_total', 'counter', 'Number of generation tokens processed.', this.generationTokens),
      one('vllm:prefix_cache_queries_total', 'counter', 'Prefix cache queries, in terms of number of queried tokens.', this.prefixCacheQueries),
      one('vllm:prefix_cache_hits_total', 'counter', 'Prefix cache hits, in terms of number of cached tokens.', this.prefixCacheHits),
      `# HELP vllm:request_success_total Count of successfully processed requests.\n# TYPE vllm:request_success_total counter\n${reasons.join('')}`,
      this.ttft.expose(label),
      this.e2e.expose(label),
    ].join('')
  }
}
