import { describe, expect, it } from 'vitest'
import { unitOf } from './units.js'

describe('the unit of a metric', () => {
  it.each([
    ['x', '', 'seconds', 'seconds'],
    ['gpu_power', 'Power draw (in W).', '', 'W'],
    ['latency', 'Histogram of time to first token in seconds.', '', 'seconds'],
    ['size', 'Body size in kilobytes', '', 'kilobytes'],
    ['vllm:kv_cache_usage_perc', 'KV-cache usage. 1 means 100 percent usage.', '', 'ratio'],
    ['use', 'Use (0.0-1.0)', '', 'ratio'],
    ['use', 'Use, 0-100', '', '%'],
    ['mock_requests_total', 'Total.', '', 'requests'],
    ['nv_inference_queue_duration_us', 'Cumulative', '', 'microseconds'],
    ['vllm:prompt_tokens_total', '', '', 'tokens'],
    ['sglang:num_running_reqs', 'The number of running requests', '', 'requests'],
    ['vllm:num_requests_running', 'Running', '', 'requests'],
    ['cache_hit_ratio', '', '', 'ratio'],
    ['mock_requests_running', 'Running.', '', ''],
    ['up', 'Whether it is up; port 8000', '', ''],
  ])('%s, "%s" (%s) is %s', (name, help, stated, unit) => expect(unitOf(name, help, stated)).toBe(unit))
})
