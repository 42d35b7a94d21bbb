import { brief } from '@aiperf/core/numbers'
import { levelOf, read, type Evidence, type Say } from './evidence.js'

/** Did server and client mean the same work: token counts, output lengths, caches, chunks, connections. */
export function judgeServer({ profiling, repeats }: Evidence, say: Say): void {
  const succeeded = read(profiling, 'request_count') ?? 0
  if (succeeded === 0) return
  const percent = (tag: string): number => (100 * (read(profiling, tag) ?? 0)) / succeeded

  const outputs = read(profiling, 'usage_completion_tokens_diff_pct', 'p50') ?? 0
  const mismatch = levelOf('tokenMismatch', outputs)
  if (mismatch)
    say({
      code: 'token-mismatch',
      ...mismatch,
      message: `client and server count ${brief(outputs)} % different output tokens (median): everything per token is off by that factor`,
      value: outputs,
    })
  const prompts = read(profiling, 'usage_prompt_tokens_diff_pct', 'p50') ?? 0
  const prompt = levelOf('promptMismatch', prompts)
  if (prompt) say({ code: 'prompt-tokens', ...prompt, message: `client and server count ${brief(prompts)} % different prompt tokens (median), more than a chat template adds`, value: prompts })

  const lengths = percent('osl_mismatch_count')
  const length = levelOf('oslMismatch', lengths)
  if (length) say({ code: 'output-length', ...length, message: `${brief(lengths)} % of the outputs have another length than asked for`, value: lengths })

  const cached = read(profiling, 'overall_usage_prompt_cache_read_pct')
  const predicted = read(profiling, 'theoretical_prefix_cache_hit') ?? 0
  const excess = cached === undefined ? undefined : cached - predicted
  const warm = excess === undefined ? undefined : levelOf('cacheExcess', excess)
  if (warm)
    say({
      code: 'cache-contamination',
      ...warm,
      message: `the server read ${brief(cached!)} % of the prompt tokens from its cache where the dataset itself repeats ${brief(predicted)} %`,
      value: excess!,
    })
  const repeated = repeats.first === 0 ? 0 : (100 * repeats.repeated) / repeats.first
  const again = levelOf('repeats', repeated)
  if (again && !warm)
    say({
      code: 'repeated-prompts',
      ...again,
      message: `${brief(repeated)} % of the sessions had been sent before: a server with a prefix cache answers them faster`,
      value: repeated,
    })

  const chunk = read(profiling, 'tokens_per_chunk', 'p50')
  const batched = chunk === undefined ? undefined : levelOf('chunkTokens', chunk)
  if (batched) say({ code: 'batched-chunks', ...batched, message: `a chunk carries ${brief(chunk!)} tokens (median): gaps between chunks are not gaps between tokens`, value: chunk! })

  const retries = percent('retried_request_count')
  const retried = levelOf('retried', retries)
  if (retried) say({ code: 'retried', ...retried, message: `${brief(retries)} % of the requests were sent again because the server had closed the connection`, value: retries })
}
