import type { PhaseResult } from '@aiperf/core'

/** Verification steps of speculative decoding by the number of draft tokens accepted, from 0; undefined when none were reported. */
export function acceptance(phase: PhaseResult): readonly number[] | undefined {
  return phase.metrics.get('spec_decode_acceptance_histogram')?.tally
}

/** `{place: count}` of the places that have any, as files show it. */
export function tallyObject(tally: ArrayLike<number> | undefined): { [place: string]: number } | undefined {
  return tally && Object.fromEntries(Array.from(tally, (count, place) => [place, count]).filter(([, count]) => count! > 0))
}
