import type { LiveSnapshot } from '@aiperf/core'
import { bytes, count } from '../../format.js'
import { bar } from '../chart.js'
import type { Glyphs } from '../glyphs.js'
import { left, right, type Line, type Style } from '../line.js'
import type { LiveModel } from '../model.js'

type Worker = LiveSnapshot['workers'][number]
const COLUMNS: readonly [title: string, width: number, value: (w: Worker) => string][] = [
  ['in flight', 10, (w) => count(w.inFlight)],
  ['sent', 9, (w) => count(w.sent)],
  ['ended', 9, (w) => count(w.completed)],
  ['errors', 8, (w) => count(w.errors)],
  ['read', 10, (w) => bytes(w.bytesRead)],
]

/** The threads that send, and how busy they are. */
export function workersView(model: LiveModel, width: number, height: number, g: Glyphs): Line[] {
  const workers = model.snapshot?.workers ?? []
  if (workers.length === 0) return [[['no workers yet', 'dim']]]
  // The columns that fit beside the number and the load, the most telling first.
  let room = width - 3 - 14
  const shown = COLUMNS.filter(([, columnWidth]) => (room -= columnWidth) >= 0)
  const head: Line = [[left('', 3)], ...shown.map(([title, w]) => [right(title, w), 'dim'] as const), ['  busy', 'dim']]
  const rows = workers.map((w): Line => {
    const style: Style = w.utilization >= 0.9 ? 'bad' : w.utilization >= 0.7 ? 'warn' : 'good'
    const [full, empty] = bar(w.utilization, 6, g)
    return [[left(String(w.id), 3), 'strong'], ...shown.map(([, width_, value]) => [right(value(w), width_)] as const), ['  '], [full, style], [empty, 'dim'], [right(`${Math.round(w.utilization * 100)} %`, 6), style]]
  })
  const hidden = rows.length + 1 - height
  if (hidden <= 0) return [head, ...rows]
  return [head, ...rows.slice(0, height - 2), [[`and ${hidden + 1} more: press 4`, 'dim']]]
}
