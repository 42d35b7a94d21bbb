import type { Turn } from '@aiperf/core'

export interface TimingSettings {
  ignoreTraceDelays?: boolean
  interTurnDelayCapSeconds?: number
}

/** Leaves out or caps the recorded times of a turn, as asked. */
export function adjustTiming<T extends Pick<Turn, 'timestampMs' | 'delayMs'>>(turn: T, { ignoreTraceDelays, interTurnDelayCapSeconds: cap }: TimingSettings): T {
  if (ignoreTraceDelays) {
    delete turn.timestampMs
    delete turn.delayMs
  } else if (cap !== undefined && turn.delayMs !== undefined) turn.delayMs = Math.min(turn.delayMs, cap * 1000)
  return turn
}
