import type { FaultOptions } from '../options/types.js'
import { PURPOSE, Random } from '../timing/random.js'

/** How a stream is broken off in the middle. */
type Break = 'cut' | 'reset' | 'truncate' | 'errorEvent'

/** What goes wrong with one request. */
export interface FaultPlan {
  /** Names of all that was drawn, as they stand in the truth. */
  readonly names: readonly string[]
  /** An error status at once. */
  readonly status?: number
  readonly break?: Break
  /** Share of the tokens (0 to 1) after which the stream breaks, stalls or has its malformed event. */
  readonly breakAt: number
  readonly stallAt: number
  readonly malformedAt: number
  readonly stallMs: number
  readonly slowHeadersMs: number
  readonly malformed: boolean
  readonly comments: boolean
  readonly crlf: boolean
  readonly split: boolean
  readonly drop: boolean
  readonly jsonBody: boolean
}

const BREAKS = ['cut', 'reset', 'truncate', 'errorEvent'] as const
const KINDS = ['error', ...BREAKS, 'stall', 'malformed', 'slowHeaders', 'drop', 'comment', 'crlf', 'split', 'jsonBody'] as const
type Kind = (typeof KINDS)[number]

/** Makes the plan of a request by its ordinal; undefined for a request that nothing happens to. */
export type FaultPlanner = (ordinal: number) => FaultPlan | undefined

/** Each kind of fault is drawn from a stream of its own, so that the rate of one moves no other. */
export function faultPlanner(options: Required<FaultOptions>, seed: number): FaultPlanner {
  const active = KINDS.map((kind, index) => ({ kind, rate: options[`${kind}Rate`], purpose: PURPOSE.fault + index })).filter(({ rate }) => rate > 0)
  if (active.length === 0) return () => undefined
  return (ordinal) => {
    const drawn = new Map<Kind, Random>()
    for (const { kind, rate, purpose } of active) {
      const random = new Random(seed, ordinal, purpose)
      if (random.next() < rate) drawn.set(kind, random)
    }
    return drawn.size === 0 ? undefined : planOf(drawn, options)
  }
}

function planOf(drawn: ReadonlyMap<Kind, Random>, options: Required<FaultOptions>): FaultPlan {
  const error = drawn.get('error')
  const statuses = options.errorStatuses
  // A response can only be broken off once.
  const broken = BREAKS.find((kind) => drawn.has(kind))
  const at = (kind: Kind) => drawn.get(kind)?.next() ?? 0
  return {
    names: error ? ['error'] : [...drawn.keys()].filter((kind) => !BREAKS.some((other) => other === kind) || kind === broken),
    ...(error ? { status: statuses[Math.floor(error.next() * statuses.length)]! } : {}),
    ...(broken ? { break: broken, breakAt: at(broken) } : { breakAt: 0 }),
    stallAt: at('stall'),
    malformedAt: at('malformed'),
    stallMs: drawn.has('stall') ? options.stallMs : 0,
    slowHeadersMs: drawn.has('slowHeaders') ? options.slowHeadersMs : 0,
    malformed: drawn.has('malformed'),
    comments: drawn.has('comment'),
    crlf: drawn.has('crlf'),
    split: drawn.has('split'),
    drop: drawn.has('drop'),
    jsonBody: drawn.has('jsonBody'),
  }
}
