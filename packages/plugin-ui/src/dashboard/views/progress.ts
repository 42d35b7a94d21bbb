import type { LiveSnapshot } from '@aiperf/core'
import { clock, count, decimal, percent } from '../../format.js'
import { progressOf } from '../../progress.js'
import { bar } from '../chart.js'
import type { Glyphs } from '../glyphs.js'
import { left, right, spread, type Line, type Style } from '../line.js'
import type { LiveModel, SeenPhase } from '../model.js'
import { lateness } from '../warnings.js'

/** Phases that are over, the one that runs with its bar, and its counters. */
export function progressView(model: LiveModel, width: number, height: number, g: Glyphs): Line[] {
  const s = model.snapshot
  if (!s) return [[['waiting for the first numbers', 'dim']]]
  const counters = s.stage === 'preparing' ? [] : counterLines(s, width)
  const gauge = lagLine(s, width, g)
  const current = currentLines(s, width, g)
  const over = model.phases.filter((p) => p.over)
  // What is over makes room for what is going on.
  const rest = Math.max(0, height - current.length - counters.length - gauge.length)
  const shown = over.slice(Math.max(0, over.length - rest))
  return [...shown.map((p) => overLine(p, width, g)), ...current, ...counters, ...gauge].slice(0, height)
}

/** The last numbers of a phase come before its end: an amount that was not full then says nothing. */
function overLine(p: SeenPhase, width: number, g: Glyphs): Line {
  const amount = p.share === undefined || p.share >= 1 ? p.text : ''
  return spread([[`${g.done} `, 'good'], [p.name, 'dim']], [[amount, 'dim'], [` ${right(clock(p.seconds), 7)}`, 'dim']], width)
}

function currentLines(s: LiveSnapshot, width: number, g: Glyphs): Line[] {
  const { share, leftSeconds, text } = progressOf(s)
  const names: Partial<Record<LiveSnapshot['stage'], string>> = {
    preparing: s.preparing?.what ?? 'preparing',
    records: 'reading records',
    exporting: 'writing files',
    done: 'done',
    grace: `${s.phase} ${g.dot} last replies`,
  }
  const name: Line = [[`${g.running} `, 'accent'], [names[s.stage] ?? s.phase, 'strong']]
  if (s.stage === 'records' || s.stage === 'exporting' || s.stage === 'done') return [name]
  const [full, empty] = bar(share ?? 0, width - 8, g)
  const remaining = s.stage === 'grace' ? `waiting for ${count(s.inFlight)} in flight` : leftSeconds === undefined ? '' : `${clock(leftSeconds)} left`
  return [
    spread(name, [[text]], width),
    [[full, 'accent'], [empty, 'dim'], [right(share === undefined ? '' : `${Math.floor(share * 100)} %`, 8), 'strong']],
    spread([[clock(s.elapsedSeconds), 'dim']], [[remaining, s.stage === 'grace' ? 'warn' : 'dim']], width),
  ]
}

function counterLines(s: LiveSnapshot, width: number): Line[] {
  const share = s.errors / Math.max(1, s.completed)
  const half = Math.floor((width - 3) / 2)
  const cell = (name: string, value: string, style: Style = 'plain'): Line => spread([[name, 'dim']], [[value, style]], half)
  const pair = (a: Line, b: Line): Line => [...a, ['   '], ...b]
  const withShare = `${count(s.errors)} (${percent(share)})`
  const errors = s.errors === 0 || withShare.length > half - 7 ? count(s.errors) : withShare
  const offered = s.offeredPerSecond === undefined ? cell('closed loop', '') : cell('offered/s', decimal(s.offeredPerSecond))
  return [
    pair(cell('sent', count(s.sent)), cell('in flight', count(s.inFlight), 'strong')),
    pair(cell('ended', count(s.completed)), cell('sessions', count(s.sessionsInFlight))),
    pair(offered, cell('achieved/s', decimal(s.achievedPerSecond), 'strong')),
    pair(cell('errors', errors, s.errors === 0 ? 'good' : share <= 0.1 ? 'warn' : 'bad'), cell('skipped', count(s.skipped), s.skipped > 0 ? 'warn' : 'plain')),
  ]
}

/** How late requests leave: the bar is full where lateness begins to spoil what is measured. */
function lagLine(s: LiveSnapshot, width: number, g: Glyphs): Line[] {
  const late = lateness(s)
  if (late === undefined || width < 30) return []
  const style: Style = late > 1 ? 'bad' : late > 0.5 ? 'warn' : 'good'
  const word = late > 1 ? 'late' : late > 0.5 ? 'fair' : 'on time'
  const text = `${decimal(s.latency.lag!.p99)} ms `
  const [full, empty] = bar(late, Math.max(4, width - 18 - text.length), g)
  return [[[left('lag p99', 9), 'dim'], [text], [full, style], [empty, 'dim'], [` ${word}`, style]]]
}
