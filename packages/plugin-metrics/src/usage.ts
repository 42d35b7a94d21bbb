import { defineMetric, type Gate, type Metric, type RecordView } from '@aiperf/core'
import { known, quotient } from './facts.js'

interface UsageField {
  /** `usage_<name>` and `total_usage_<name>`. */
  name: string
  of: (record: RecordView) => number
  header: string
  short: string
  /** Short header of the total, when it is not `Total <short>`. */
  shortTotal?: string
  unit?: 'sec'
  gates?: Gate[]
  larger?: boolean
  order: number
  countsAtTokens?: boolean
}

const FIELDS: readonly UsageField[] = [
  { name: 'prompt_tokens', of: (r) => r.usagePrompt, header: 'Prompt Tokens', short: 'Prompt', gates: ['input-tokens'], larger: true, order: 0 },
  { name: 'prompt_cache_read_tokens', of: (r) => r.usageCacheRead, header: 'Prompt Cache Read Tokens', short: 'Prompt Cache Read', larger: true, order: 10 },
  { name: 'prompt_cache_write_tokens', of: (r) => r.usageCacheWrite, header: 'Prompt Cache Write Tokens', short: 'Prompt Cache Write', order: 15 },
  { name: 'prompt_cache_miss_tokens', of: (r) => r.usageCacheMiss, header: 'Prompt Cache Miss Tokens', short: 'Prompt Cache Miss', order: 17 },
  { name: 'prompt_audio_tokens', of: (r) => r.usagePromptAudio, header: 'Prompt Audio Tokens', short: 'Prompt Audio', gates: ['audio'], larger: true, order: 20 },
  { name: 'tool_use_prompt_tokens', of: (r) => r.usageToolUsePrompt, header: 'Tool Use Prompt Tokens', short: 'Tool Prompt', order: 30 },
  { name: 'prompt_audio_seconds', of: (r) => r.usagePromptAudioSeconds, header: 'Prompt Audio Seconds', short: 'Prompt Audio Sec', unit: 'sec', gates: ['audio'], larger: true, order: 40 },
  { name: 'completion_tokens', of: (r) => r.usageCompletion, header: 'Completion Tokens', short: 'Completion', gates: ['tokens'], larger: true, order: 100, countsAtTokens: true },
  { name: 'reasoning_tokens', of: (r) => r.usageReasoning, header: 'Reasoning Tokens', short: 'Reasoning', gates: ['tokens'], larger: true, order: 110 },
  { name: 'completion_audio_tokens', of: (r) => r.usageCompletionAudio, header: 'Completion Audio Tokens', short: 'Completion Audio', shortTotal: 'Comp Audio', gates: ['tokens', 'audio'], larger: true, order: 120 },
  { name: 'accepted_prediction_tokens', of: (r) => r.usageAcceptedPrediction, header: 'Accepted Prediction Tokens', short: 'Accepted Pred', gates: ['tokens'], larger: true, order: 130 },
  { name: 'rejected_prediction_tokens', of: (r) => r.usageRejectedPrediction, header: 'Rejected Prediction Tokens', short: 'Rejected Pred', gates: ['tokens'], order: 140 },
  { name: 'total_tokens', of: (r) => r.usageTotal, header: 'Total Tokens', short: 'Total', gates: ['tokens'], larger: true, order: 200 },
]

function family(f: UsageField): Metric[] {
  const tag = `usage_${f.name}`
  const shared = {
    unit: f.unit ?? 'tokens',
    shortHeaderHidesUnit: f.unit === undefined,
    group: 'usage',
    ...(f.gates ? { gates: f.gates } : {}),
    ...(f.larger ? { largerIsBetter: true } : {}),
  } as const
  return [
    {
      kind: 'record',
      tag,
      header: `Usage ${f.header}`,
      shortHeader: `Usage ${f.short}`,
      order: 1000 + f.order,
      description: `${f.header} that the server reported, in the last usage of the response that was not empty.`,
      ...(f.countsAtTokens ? { countsAtTokens: true } : {}),
      absence: 'the server did not report it',
      compute: (r) => known(f.of(r)),
      ...shared,
    },
    {
      kind: 'derived',
      tag: `total_${tag}`,
      header: `Total Usage ${f.header}`,
      shortHeader: `Total Usage ${f.shortTotal ?? f.short}`,
      order: 2000 + f.order,
      requires: [tag],
      description: `Sum of ${tag} over all requests.`,
      compute: (scope) => scope.value(tag),
      ...shared,
    },
  ]
}

/** Difference between what the server reports and what the client counts. */
function difference(kind: 'Prompt' | 'Completion' | 'Reasoning', usage: string, client: string, gate: Gate): Metric {
  return {
    kind: 'record',
    tag: `${usage}_diff_pct`,
    header: `Usage ${kind} Diff %`,
    shortHeader: `${kind} Diff`,
    shortHeaderHidesUnit: true,
    unit: '%',
    gates: [gate, 'usage-diff'],
    requires: [client, usage],
    group: 'none',
    description: `Server's count against the client's. 100 × |${usage} − ${client}| / ${client}.`,
    compute: (_, value) => quotient(100 * Math.abs(value(usage)! - value(client)!), value(client)),
  }
}

/** Token counts as the server reports them, and how they compare with the client's own. */
export default defineMetric(
  ...FIELDS.flatMap(family),
  {
    kind: 'derived',
    tag: 'overall_usage_prompt_cache_read_pct',
    header: 'Overall Usage Prompt Cache Read %',
    shortHeader: 'Overall Cache Read %',
    shortHeaderHidesUnit: true,
    unit: '%',
    largerIsBetter: true,
    requires: ['total_usage_prompt_cache_read_tokens', 'total_usage_prompt_tokens'],
    group: 'usage',
    order: 2012,
    description: 'Share of prompt tokens that the server read from its cache. 100 × total cache read / total prompt.',
    compute: (scope) => {
      const read = scope.value('total_usage_prompt_cache_read_tokens')
      return quotient(read === undefined ? undefined : 100 * read, scope.value('total_usage_prompt_tokens'))
    },
  },
  difference('Prompt', 'usage_prompt_tokens', 'input_sequence_length', 'input-tokens'),
  difference('Completion', 'usage_completion_tokens', 'output_sequence_length', 'tokens'),
  difference('Reasoning', 'usage_reasoning_tokens', 'reasoning_token_count', 'tokens'),
  {
    kind: 'aggregate',
    tag: 'usage_discrepancy_count',
    header: 'Usage Discrepancy Count',
    shortHeader: 'Discrepancies',
    shortHeaderHidesUnit: true,
    unit: 'requests',
    fold: 'sum',
    gates: ['usage-diff'],
    requires: ['usage_completion_tokens_diff_pct', 'usage_prompt_tokens_diff_pct'],
    optional: ['usage_reasoning_tokens_diff_pct'],
    group: 'none',
    description:
      'Requests for which the prompt, completion or reasoning count differs by more than 10 % (AIPERF_METRICS_USAGE_PCT_DIFF_THRESHOLD).',
    compute: (_, value, { thresholds }) => {
      const worst = Math.max(
        value('usage_prompt_tokens_diff_pct')!,
        value('usage_completion_tokens_diff_pct')!,
        value('usage_reasoning_tokens_diff_pct') ?? 0,
      )
      return worst > thresholds.usageDiffPct ? 1 : 0
    },
  },
)
