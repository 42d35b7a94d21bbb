import { shortNumber, table } from './results.js'
import type { Summary } from './summary.js'
import type { TraceAnalysis } from './traceAnalysis.js'

const percent = (share: number): string => `${shortNumber(share * 100)} %`

/** An analysis for a person. */
export function analysisText(title: string, a: TraceAnalysis): string {
  const facts: [string, string | number][] = [
    ['Requests', a.total_requests],
    ['Sessions', a.sessions.count],
    ['Block size, tokens', a.block_size],
    ['Unique prefixes', a.unique_prefixes],
    ['Prefix groups', a.num_prefix_groups],
    ['Prefix reuse', percent(a.prefix_reuse_ratio)],
    ['Cache hits by id, of all blocks', percent(a.cache_hit_rate)],
    ['Cache hits by prefix, of all blocks', percent(a.prefix_cache_hit_rate)],
    ['Cache hits by prefix, of all input tokens', percent(a.prefix_cache_token_hit_rate)],
    ...(a.arrivals
      ? ([
          ['Time from first to last arrival, s', a.arrivals.duration_s],
          ['Arrivals per second', a.arrivals.rate_per_s],
          ['Variation of the gaps (1: Poisson)', a.arrivals.gap_cv],
        ] as [string, number][])
      : []),
  ]
  const row = (name: string, s: Summary | undefined): (string | number)[][] => (s ? [[name, s.mean, s.std_dev, s.min, s.p25, s.median, s.p75, s.max]] : [])
  const lengths = [
    ['', 'Mean', 'Std Dev', 'Min', 'P25', 'Median', 'P75', 'Max'],
    ...row('Input Length', a.isl_stats),
    ...row('Context Length', a.context_length_stats),
    ...row('Unique Prompt Length', a.unique_prompt_length_stats),
    ...row('Output Length', a.osl_stats),
    ...row('Theoretical Hit Rates', a.hit_rate_stats),
    ...row('Turns per Session', a.sessions.turns_stats),
  ]
  const sizes = a.lru_hit_rates.length === 0 ? [] : [table([['Cache of blocks', 'Tokens', 'Hit rate'], ...a.lru_hit_rates.map((size) => [shortNumber(size.blocks), size.tokens, percent(size.hit_rate)])])]
  const sets = a.working_set.length === 0 || a.lru_hit_rates.length === 0 ? [] : [table([['After requests', 'Distinct blocks'], ...a.working_set.map((at) => [shortNumber(at.requests), at.blocks])])]
  return [`${title}\n`, table(facts), table(lengths), ...sizes, ...sets].join('\n')
}
