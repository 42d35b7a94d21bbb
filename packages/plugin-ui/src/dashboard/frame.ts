import type { LiveSnapshot } from '@aiperf/core'
import { clock } from '../format.js'
import { progressOf } from '../progress.js'
import { clean } from '../text.js'
import { bar } from './chart.js'
import type { Glyphs } from './glyphs.js'
import { beside, fit, spread, type Line } from './line.js'
import type { LiveModel, View } from './model.js'
import { panel } from './panel.js'
import { errorsView } from './views/errors.js'
import { logView } from './views/log.js'
import { chartOf, metricsView } from './views/metrics.js'
import { progressView } from './views/progress.js'
import { telemetryLines, telemetryView } from './views/telemetry.js'
import { workersView } from './views/workers.js'
import { warningsOf } from './warnings.js'

type Content = (model: LiveModel, width: number, height: number, g: Glyphs) => Line[]

/** Keys of the views, in the order in which the footer lists them. */
export const VIEW_KEYS: Readonly<Record<string, View>> = { '1': 'overview', '2': 'progress', '3': 'metrics', '4': 'workers', '5': 'telemetry', '6': 'log', e: 'errors' }

/** What a panel may show: a view, or one of the charts that the overview adds where there is room. */
type Part = Exclude<View, 'overview'> | 'latencyChart' | 'tokensChart'

const PANELS: Record<Part, { key: string; title: string; content: Content }> = {
  progress: { key: '2', title: 'progress', content: progressView },
  metrics: { key: '3', title: 'metrics', content: metricsView },
  workers: { key: '4', title: 'workers', content: workersView },
  telemetry: { key: '5', title: 'telemetry', content: telemetryView },
  log: { key: '6', title: 'log', content: logView },
  errors: { key: 'e', title: 'errors', content: errorsView },
  latencyChart: { key: '3', title: 'latency, ms', content: (model, width, height, g) => chartOf(model.series('latency'), width, height, g) },
  tokensChart: { key: '3', title: 'output tokens/s', content: (model, width, height, g) => chartOf(model.series('tokens'), width, height, g) },
}

/** Rows of the overview: what stands in them beside each other, with the share of the width; lower priorities go without. */
interface Row { parts: { view: Part; share: number }[]; least: number; ideal: number; priority: number }

/** The whole screen: exactly `rows` lines of `columns` columns. */
export function frame(model: LiveModel, title: string, columns: number, rows: number, g: Glyphs): Line[] {
  if (columns < 24 || rows < 6) return small(model, columns, rows, g)
  const head = [header(model, title, columns, g), ...place(model, columns, g), ...banner(model, columns, g)]
  const height = rows - head.length - 1
  const body = model.view === 'overview' ? overview(model, columns, height, g) : framed(model, model.view, columns, height, g)
  const filled = [...body, ...Array.from({ length: Math.max(0, height - body.length) }, (): Line => fit([], columns))]
  return [...head, ...filled.slice(0, height), footer(model, columns, g)]
}

function framed(model: LiveModel, view: Part, width: number, height: number, g: Glyphs): Line[] {
  const { key, title, content } = PANELS[view]
  return panel(title, key, content(model, width - 4, height - 2, g), width, height, g, view === 'log' && model.logOffset > 0 ? 'scrolled' : '')
}

/** Gives every row its least height, the most important rows first, then lets them grow; charts take what is left. */
function overview(model: LiveModel, columns: number, height: number, g: Glyphs): Line[] {
  const rows = overviewRows(model, columns, height)
  let room = height
  const fitting = new Set([...rows].sort((a, b) => b.priority - a.priority).filter(({ least }) => room >= least && ((room -= least), true)))
  const kept = rows
    .filter((row) => fitting.has(row))
    .map((row) => {
      const grown = Math.min(row.ideal - row.least, room)
      room -= grown
      return { ...row, height: row.least + grown }
    })
  if (columns >= 100 && room >= 7 && model.series('latency').length > 1) {
    kept.splice(kept.length - (model.logShown ? 1 : 0), 0, { ...CHARTS, height: Math.min(room, CHARTS.ideal) })
    room -= Math.min(room, CHARTS.ideal)
  }
  // The last row takes the rest: the log, if it is there.
  if (kept.length > 0) kept.at(-1)!.height += room
  return kept.flatMap(({ parts, height: rowHeight }) => {
    let used = 0
    const blocks = parts.map(({ view, share }, k) => {
      const width = k === parts.length - 1 ? columns - used : Math.round(columns * share)
      used += width
      return framed(model, view, width, rowHeight, g)
    })
    return beside(...blocks)
  })
}

const CHARTS: Row = { parts: [{ view: 'latencyChart', share: 0.5 }, { view: 'tokensChart', share: 0.5 }], least: 7, ideal: 14, priority: 0 }

function overviewRows(model: LiveModel, columns: number, height: number): Row[] {
  const s = model.snapshot
  const one = (view: Part, priority: number, least: number, ideal: number): Row => ({ parts: [{ view, share: 1 }], priority, least, ideal })
  const both = (a: Row, b: Row, share: number): Row => ({
    parts: [{ ...a.parts[0]!, share }, { ...b.parts[0]!, share: 1 - share }],
    priority: Math.max(a.priority, b.priority),
    least: Math.max(a.least, b.least),
    ideal: Math.max(a.ideal, b.ideal),
  })
  const over = model.phases.filter((p) => p.over).length
  const kinds = s?.errorClasses.length ?? 0
  const threads = s?.workers.length ?? 0
  const values = s?.telemetry ?? []
  const progress = one('progress', 6, 8, 10 + Math.min(4, over))
  // On a small screen two latencies say more than a log.
  const metrics = one('metrics', 5, height < 16 ? 5 : 8, 10)
  const errors = one('errors', kinds > 0 ? 4 : 1, 3 + Math.min(1, kinds), 2 + Math.max(1, kinds))
  const workers = one('workers', 2, 3 + Math.min(3, threads), 3 + threads)
  const telemetry = values.length > 0 ? [one('telemetry', 2, 4, 2 + telemetryLines(values, columns - 4).length)] : []
  const log = model.logShown ? [one('log', 3, 4, Math.max(6, Math.min(14, model.log.length + 2)))] : []
  if (s?.stage === 'preparing' || !s) return [{ ...progress, least: 5, ideal: 5 + Math.min(8, over) }, ...log]
  if (columns >= 100) return [both(progress, metrics, columns < 120 ? 0.41 : 0.36), both(errors, workers, 0.44), ...telemetry, ...log]
  return [progress, metrics, ...(kinds > 0 ? [errors] : []), workers, ...telemetry, ...log]
}

const headings: Partial<Record<LiveSnapshot['stage'], string>> = { preparing: 'preparing', records: 'reading records', exporting: 'writing files', done: 'done' }

function header(model: LiveModel, title: string, columns: number, g: Glyphs): Line {
  const s = model.snapshot
  const name: Line = [[' AIPerf ', 'key'], [clean(title), 'strong']]
  if (!s) return fit(name, columns)
  const { share, leftSeconds } = progressOf(s)
  const [full, empty] = bar(share ?? 0, columns < 60 ? 0 : 12, g)
  const shown: Line = share === undefined ? [] : [[full, 'accent'], [empty, 'dim'], [` ${Math.floor(share * 100)} %`, 'strong']]
  const time = leftSeconds === undefined || s.stage === 'grace' ? clock(s.elapsedSeconds) : `${clock(leftSeconds)} left`
  return spread(name, [[' '], [headings[s.stage] ?? s.phase, 'accent'], [' '], ...shown, [`  ${time} `, 'dim']], columns)
}

/** Where the run stands in a sweep, a search or repeated runs: which run, at which point, and the best so far. */
function place({ snapshot }: LiveModel, columns: number, g: Glyphs): Line[] {
  if (!snapshot?.sweep) return []
  const { done, total, point, best } = snapshot.sweep
  const at: Line = [[` ${done + 1}${total ? ` of ${total}` : ''}`, 'accent'], [` ${g.dot} ${point}`]]
  return [best ? spread(at, [[`best ${best} `, 'dim']], columns) : fit(at, columns)]
}

function banner(model: LiveModel, columns: number, g: Glyphs): Line[] {
  if (model.ending) return [fit([[` ${g.warning} ending: waiting for the requests in flight. Ctrl-C again stops at once.`, 'warn']], columns)]
  const [first, ...others] = model.snapshot ? warningsOf(model.snapshot) : []
  return first ? [fit([[` ${g.warning} ${first}${others.length > 0 ? ` (and ${others.length} more)` : ''}`, 'warn']], columns)] : []
}

function footer(model: LiveModel, columns: number, g: Glyphs): Line {
  if (model.notice) return fit([[` ${model.notice}`, 'accent']], columns)
  const views = Object.entries(VIEW_KEYS).map(([key, view]) => [key, view] as const)
  const scroll = model.view === 'log' ? [[g.upDown, 'scroll'] as const] : []
  const others = [...scroll, ['l', model.logShown ? 'hide log' : 'show log'], ['c', 'copy log'], ['q', 'leave'], ['^C', 'end run']] as const
  const back = model.view === 'overview' ? [] : [['esc', 'back'] as const]
  const keys = (list: readonly (readonly [string, string])[]): Line => list.flatMap(([key, what]): Line => [[` ${key}`, 'key'], [` ${what}`, 'dim']])
  const all = [...back, ...views, ...others]
  const length = (list: readonly (readonly [string, string])[]) => list.reduce((sum, [key, what]) => sum + key.length + what.length + 2, 0)
  // Too narrow for all: the views go by their number alone.
  if (length(all) <= columns) return fit(keys(all), columns)
  const short: Line = [[' 1-6 e', 'key'], [' views', 'dim']]
  return fit([...short, ...keys([...back, ...[...others].reverse()])], columns)
}

/** No room for frames: the bare state. */
function small(model: LiveModel, columns: number, rows: number, g: Glyphs): Line[] {
  const s = model.snapshot
  const { share, text } = s ? progressOf(s) : { share: undefined, text: 'waiting' }
  const [full, empty] = bar(share ?? 0, columns, g)
  const lines: Line[] = [
    [[s?.phase ?? 'AIPerf', 'strong'], [` ${text}`]],
    [[full, 'accent'], [empty, 'dim']],
    [[s ? `${s.inFlight} in flight ${s.errors} errors` : '', 'dim']],
  ]
  return Array.from({ length: rows }, (_, i) => fit(lines[i] ?? [], columns))
}
