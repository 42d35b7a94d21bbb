import type { MetricResult, Point, Trial } from '@aiperf/core'

/** What a server like most would answer at a load: more load, more throughput up to a limit, ever longer latencies. */
export function sampleTrial(point: Point, repeat: number): Trial {
  const load = Object.values(point).find((value): value is number => typeof value === 'number') ?? 1
  const wobble = 1 + 0.01 * ((repeat * 7) % 5)
  const throughput = (40 * load) / (1 + load / 50)
  const row = (tag: string, unit: string, value: number): [string, MetricResult] => [
    tag, { tag, header: tag, unit, group: 'default', kind: 'record', avg: value, min: value * 0.5, max: value * 3, std: value * 0.2, count: 200, p1: value * 0.5, p5: value * 0.6, p10: value * 0.7, p25: value * 0.8, p50: value * 0.95, p75: value * 1.2, p90: value * 1.5, p95: value * 1.8, p99: value * 2.5 },
  ]
  return {
    point, verdict: 'valid', directory: `/runs/${repeat}`,
    metrics: new Map([
      row('request_throughput', 'requests/s', throughput * wobble), row('output_token_throughput', 'tokens/sec', throughput * 64 * wobble), row('request_latency', 'ms', (20 + load * load) * wobble),
      row('time_to_first_token', 'ms', (5 + load) * wobble), row('inter_token_latency', 'ms', (2 + load / 20) * wobble), row('output_token_throughput_per_user', 'tokens/sec/user', 100 / (1 + load / 30)), row('output_token_throughput_per_gpu', 'tokens/sec/gpu', throughput * 64 * wobble),
      row('request_count', 'requests', 200), row('error_request_count', 'requests', 0), row('goodput', 'requests/s', throughput * 0.9),
    ]),
  }
}
