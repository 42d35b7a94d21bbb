import type { TelemetryWindow } from '@aiperf/core'
import { GAP_INTERVALS, lowerBound } from './gauge.js'

/** Where a counter or histogram is looked at: between samples `before` and `after`, at this share of the way. */
export interface Point {
  before: number
  after: number
  share: number
  /** It is the sample taken at the border, or lies between two samples of a continuous counter. */
  exact: boolean
}

export interface Sampled {
  ns: Float64Array
  everyNs: Float64Array
  borders: ReadonlyMap<string, number>
}

/**
 * The moments at which a series of a target is compared for a window: the samples taken at the borders of a phase, else
 * the point between the two samples around a border. Undefined when no sample lies in or around the window.
 */
export function bordersOf(target: Sampled, window: TelemetryWindow, continuous: boolean): { start: Point; end: Point } | undefined {
  const { ns } = target
  if (ns.length === 0 || ns[0]! > window.endNs || ns.at(-1)! < window.startNs) return undefined
  const start = (!continuous && taken(target, 'start', window.phase ?? window.startsPhase)) || between(target, window.startNs, continuous)
  const end = (!continuous && taken(target, 'end', window.phase ?? window.endsPhase)) || between(target, window.endNs, continuous)
  return { start, end }
}

function taken(target: Sampled, at: 'start' | 'end', phase: number | undefined): Point | undefined {
  if (phase === undefined) return undefined
  const sample = target.borders.get(`${at} ${phase}`)
  return sample === undefined ? undefined : { before: sample, after: sample, share: 0, exact: true }
}

function between({ ns, everyNs }: Sampled, timeNs: number, continuous: boolean): Point {
  const after = lowerBound(ns, timeNs)
  if (after === ns.length) return { before: after - 1, after: after - 1, share: 0, exact: false }
  if (after === 0 || ns[after] === timeNs) return { before: after, after, share: 0, exact: continuous && ns[after] === timeNs }
  const before = after - 1
  const gapNs = ns[after]! - ns[before]!
  return { before, after, share: (timeNs - ns[before]!) / gapNs, exact: continuous && gapNs <= GAP_INTERVALS * everyNs[before]! }
}
