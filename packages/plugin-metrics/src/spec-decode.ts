import { defineMetric, type DerivedMetric, type RecordMetric, type RecordView } from '@aiperf/core'
import { quotient } from './facts.js'

/** Names of the `field` deltas in which an endpoint hands on what the server says of a request's speculative decoding. */
export const SPEC_DECODE_FIELDS = {
  /** Verification steps. */
  steps: 'spec_decode_steps',
  /** Draft tokens proposed, and of these accepted. */
  drafted: 'spec_decode_draft_tokens',
  accepted: 'spec_decode_accepted_tokens',
  /** Steps by number of accepted tokens, from 0. */
  histogram: 'spec_decode_acceptance_histogram',
  /** The server's own mean acceptance length and rate (0–1). */
  acceptanceLength: 'spec_decode_acceptance_length',
  acceptanceRate: 'spec_decode_acceptance_rate',
} as const

function field(record: RecordView, name: keyof typeof SPEC_DECODE_FIELDS): number | undefined {
  const value = record.field(SPEC_DECODE_FIELDS[name])
  return typeof value === 'number' ? value : undefined
}

/** A report that contradicts itself is not used. */
function consistent(record: RecordView): boolean {
  const steps = field(record, 'steps')
  if (steps === undefined) return false
  const accepted = field(record, 'accepted')
  const drafted = field(record, 'drafted')
  if (accepted !== undefined && drafted !== undefined && accepted > drafted) return false
  const histogram = record.field(SPEC_DECODE_FIELDS.histogram)
  if (histogram === undefined || typeof histogram === 'number') return true
  let total = 0
  let weighted = 0
  histogram.forEach((count, tokens) => {
    total += count
    weighted += count * tokens
  })
  return total === steps && (accepted === undefined || weighted === accepted)
}

const perRequest = (d: Omit<RecordMetric, 'kind' | 'shortHeaderHidesUnit' | 'requires'>): RecordMetric => ({
  kind: 'record',
  shortHeaderHidesUnit: true,
  requires: ['spec_decode_reported'],
  ...d,
})

const overall = (d: Omit<DerivedMetric, 'kind' | 'shortHeaderHidesUnit'>): DerivedMetric => ({ kind: 'derived', shortHeaderHidesUnit: true, ...d })

const sum = (tag: string, header: string, shortHeader: string, unit: string, of: string, order: number): DerivedMetric =>
  overall({ tag, header, shortHeader, unit, order, group: 'none', requires: [of], description: `Sum of ${of} over all requests.`, compute: (scope) => scope.value(of) })

/** Speculative decoding, as the server reports it for each request. */
export default defineMetric(
  {
    kind: 'record',
    tag: 'spec_decode_reported',
    header: 'Spec Decode Reported',
    unit: 'count',
    internal: true,
    group: 'none',
    description: '1 for a request with a report of its speculative decoding that does not contradict itself.',
    absence: 'the server reported no speculative decoding',
    compute: (r) => (consistent(r) ? 1 : undefined),
  },
  perRequest({
    tag: 'spec_decode_acceptance_length',
    header: 'Acceptance Length',
    shortHeader: 'Acceptance Length',
    unit: 'ratio',
    largerIsBetter: true,
    group: 'spec-decode',
    order: 5000,
    description: "Mean tokens per verification step of a request, by the server, else 1 + accepted / steps.",
    compute: (r) => {
      const given = field(r, 'acceptanceLength')
      if (given !== undefined) return given
      const ratio = quotient(field(r, 'accepted'), field(r, 'steps'))
      return ratio === undefined ? undefined : 1 + ratio
    },
  }),
  perRequest({
    tag: 'spec_decode_draft_acceptance_rate',
    header: 'Draft Acceptance Rate',
    shortHeader: 'Draft Accept Rate',
    unit: '%',
    largerIsBetter: true,
    group: 'spec-decode',
    order: 5020,
    description: 'Share of draft tokens that were accepted, by the server, else accepted / drafted.',
    compute: (r) => {
      const rate = field(r, 'acceptanceRate') ?? quotient(field(r, 'accepted'), field(r, 'drafted'))
      return rate === undefined ? undefined : 100 * rate
    },
  }),
  perRequest({
    tag: 'spec_decode_accepted_per_verified',
    header: 'Accepted per Verified',
    shortHeader: 'Accepted / Verified',
    unit: 'ratio',
    largerIsBetter: true,
    group: 'spec-decode',
    order: 5030,
    description: 'Tokens gained per token verified. (accepted + steps) / (drafted + steps).',
    compute: (r) => {
      const steps = field(r, 'steps')!
      const accepted = field(r, 'accepted')
      const drafted = field(r, 'drafted')
      return accepted === undefined || drafted === undefined ? undefined : quotient(accepted + steps, drafted + steps)
    },
  }),
  perRequest({
    tag: 'spec_decode_steps',
    header: 'Spec Decode Steps',
    shortHeader: 'Spec Decode Steps',
    unit: 'count',
    group: 'spec-decode',
    order: 5040,
    description: 'Verification steps.',
    compute: (r) => field(r, 'steps'),
  }),
  perRequest({
    tag: 'spec_decode_accepted_draft_tokens',
    header: 'Accepted Draft Tokens',
    shortHeader: 'Accepted Draft',
    unit: 'tokens',
    group: 'none',
    order: 5050,
    description: 'Draft tokens that were accepted.',
    compute: (r) => field(r, 'accepted'),
  }),
  perRequest({
    tag: 'spec_decode_draft_tokens',
    header: 'Draft Tokens',
    shortHeader: 'Draft Tokens',
    unit: 'tokens',
    group: 'none',
    order: 5060,
    description: 'Draft tokens that were proposed.',
    compute: (r) => field(r, 'drafted'),
  }),
  {
    kind: 'aggregate',
    tag: 'spec_decode_acceptance_histogram',
    header: 'Accepted Drafts per Step',
    unit: 'count',
    fold: 'tally',
    internal: true,
    group: 'none',
    requires: ['spec_decode_reported'],
    description: 'Verification steps of all requests by the number of draft tokens accepted in each, from 0.',
    compute: (r) => {
      const histogram = r.field(SPEC_DECODE_FIELDS.histogram)
      return histogram === undefined || typeof histogram === 'number' ? undefined : Float64Array.from(histogram)
    },
  },
  sum('total_spec_decode_steps', 'Total Spec Decode Steps', 'Total Spec Decode Steps', 'count', 'spec_decode_steps', 5140),
  sum('total_accepted_draft_tokens', 'Total Accepted Draft Tokens', 'Total Accepted Draft', 'tokens', 'spec_decode_accepted_draft_tokens', 5150),
  sum('total_draft_tokens', 'Total Draft Tokens', 'Total Draft', 'tokens', 'spec_decode_draft_tokens', 5160),
  overall({
    tag: 'spec_decode_token_weighted_acceptance_length',
    header: 'Token-Weighted Acceptance Length',
    shortHeader: 'Token-Wtd Accept Len',
    unit: 'ratio',
    largerIsBetter: true,
    group: 'spec-decode',
    order: 5010,
    requires: ['total_accepted_draft_tokens', 'total_spec_decode_steps'],
    description: 'Mean tokens per verification step over all steps. 1 + Σ accepted / Σ steps.',
    compute: (scope) => {
      const ratio = quotient(scope.value('total_accepted_draft_tokens'), scope.value('total_spec_decode_steps'))
      return ratio === undefined ? undefined : 1 + ratio
    },
  }),
  overall({
    tag: 'spec_decode_overall_draft_acceptance_rate',
    header: 'Overall Draft Acceptance Rate',
    shortHeader: 'Overall Draft Accept Rate',
    unit: '%',
    largerIsBetter: true,
    group: 'spec-decode',
    order: 5025,
    requires: ['total_accepted_draft_tokens', 'total_draft_tokens'],
    description: 'Share of all draft tokens that were accepted. 100 × Σ accepted / Σ drafted.',
    compute: (scope) => quotient(100 * scope.value('total_accepted_draft_tokens')!, scope.value('total_draft_tokens')),
  }),
)
