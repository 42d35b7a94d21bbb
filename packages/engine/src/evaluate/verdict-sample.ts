import { brief } from '@aiperf/core/numbers'
import { levelOf, read, type Evidence, type Say } from './evidence.js'

/** Is there enough, and is it all: samples, failures, what was left unfinished, warm-up. */
export function judgeSample({ input, profiling, warmup, faults }: Evidence, say: Say): void {
  const succeeded = read(profiling, 'request_count') ?? 0
  const failed = read(profiling, 'error_request_count') ?? 0
  const unfinished = read(profiling, 'unfinished_request_count') ?? 0
  if (succeeded === 0) {
    say({ code: 'no-success', level: 'invalid', message: failed > 0 ? `all ${failed} requests failed` : 'no request succeeded', value: 0 })
  } else {
    const few = levelOf('samples', succeeded, true)
    if (few) {
      const what = few.level === 'note' ? 'p99' : 'p90 and above'
      say({ code: 'too-few-samples', ...few, message: `${succeeded === 1 ? 'one request' : `${succeeded} requests`} cannot carry ${what}: ${few.threshold} are needed`, value: succeeded })
    }
    const rate = (100 * failed) / (succeeded + failed)
    const errors = levelOf('errorRate', rate)
    if (errors) say({ code: 'error-rate', ...errors, message: `${brief(rate)} % of the requests failed (${failed} of ${succeeded + failed})`, value: rate })
  }
  const sent = succeeded + failed + unfinished + (read(profiling, 'cancelled_request_count') ?? 0)
  if (unfinished > 0) {
    const share = (100 * unfinished) / sent
    say({
      code: 'censored',
      ...levelOf('censored', share)!,
      message: `${unfinished} of ${sent} requests were unfinished at the end: the slowest are missing from the percentiles`,
      value: share,
    })
  }
  if (!warmup && succeeded > 0) say({ code: 'no-warmup', level: 'note', message: 'no warm-up: the first requests pay for cold caches, connections and compilation' })
  const { complete, incompleteReason, wasCancelled } = input.manifest
  if (!complete || wasCancelled)
    say({ code: 'incomplete', level: 'suspect', message: `the run did not end as planned: ${incompleteReason ?? (wasCancelled ? 'interrupted' : 'unknown reason')}` })
  if (faults.size > 0)
    say({ code: 'metric-failed', level: 'note', message: `formulas that failed: ${[...faults].map(([tag, message]) => `${tag} (${message})`).join(', ')}`, value: faults.size })
}
