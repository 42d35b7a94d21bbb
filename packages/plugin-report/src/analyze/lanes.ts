import type { RequestTable } from '@aiperf/core'
import { stepCurve, type StepCurve } from '../figure/curves.js'

/** A request as a bar. Seconds since the start of the first request. */
export interface Bar {
  /** Index in the request table. */
  request: number
  start: number
  end: number
  /** Row from the top, over all lanes. */
  row: number
}

export interface Lanes {
  bars: Bar[]
  /** Of each lane: its first row, and how many it takes. */
  lanes: { row: number; rows: number }[]
  /** One per session: its lane, and when it lived. */
  sessions: { lane: number; start: number; end: number; turns: number }[]
  rows: number
  end: number
  /** Sessions that have a request under way, and those that live. */
  active: StepCurve
  alive: StepCurve
  /** Requests under way. */
  requests: StepCurve
  /** Cancelled requests, which are left out. */
  dropped: number
}

/** Requests that were cut off say nothing of how long they would have taken. */
const CUT = new Set(['cancelled', 'censored'])

/**
 * Puts sessions into lanes: in order of their start each takes the first lane that is free then. Turns of a session that
 * overlap (sub-agents) take further rows of its lane.
 */
export function assignLanes(table: RequestTable): Lanes {
  const sessions = new Map<number, { request: number; start: number; end: number }[]>()
  let dropped = 0
  for (let i = 0; i < table.count; i++) {
    const [start, end] = [table.startSeconds[i]!, table.endSeconds[i]!]
    if (CUT.has(table.error(i)) || !Number.isFinite(start) || !Number.isFinite(end)) {
      dropped++
      continue
    }
    const turn = { request: i, start, end: Math.max(start, end) }
    sessions.get(table.session[i]!)?.push(turn) ?? sessions.set(table.session[i]!, [turn])
  }
  const lives = [...sessions.values()].map((turns) => ({ turns: turns.sort((a, b) => a.start - b.start), start: turns[0]!.start, end: Math.max(...turns.map((t) => t.end)) })).sort((a, b) => a.start - b.start)
  const freeAt: number[] = []
  const depth: number[] = []
  const placed = lives.map(({ turns, start, end }) => {
    let lane = freeAt.findIndex((free) => free <= start)
    if (lane < 0) lane = freeAt.length
    freeAt[lane] = end
    const rowEnds: number[] = []
    const subRows = turns.map((turn) => {
      let row = rowEnds.findIndex((free) => free <= turn.start)
      if (row < 0) row = rowEnds.length
      rowEnds[row] = turn.end
      return row
    })
    depth[lane] = Math.max(depth[lane] ?? 1, rowEnds.length)
    return { lane, turns, subRows, start, end }
  })
  let row = 0
  const lanes = depth.map((rows) => {
    const lane = { row, rows }
    row += rows
    return lane
  })
  const bars = placed.flatMap(({ lane, turns, subRows }) => turns.map((turn, k) => ({ ...turn, row: lanes[lane]!.row + subRows[k]! })))
  return {
    bars, lanes, rows: row, dropped,
    sessions: placed.map(({ lane, start, end, turns }) => ({ lane, start, end, turns: turns.length })),
    end: lives.reduce((last, { end }) => Math.max(last, end), 0),
    active: counting(lives.flatMap(({ turns }) => union(turns))),
    alive: counting(lives),
    requests: counting(bars),
  }
}

/** Stretches that cover the same time as the given ones, without overlaps; these come by their start. */
function union(stretches: readonly { start: number; end: number }[]): { start: number; end: number }[] {
  const out: { start: number; end: number }[] = []
  for (const { start, end } of stretches) {
    const last = out.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else out.push({ start, end })
  }
  return out
}

const counting = (stretches: readonly { start: number; end: number }[]): StepCurve =>
  stepCurve(Float64Array.from(stretches.flatMap(({ start, end }) => [start, end])), Float64Array.from(stretches.flatMap(() => [1, -1])))
