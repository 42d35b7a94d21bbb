import { defineUi, type LiveSnapshot, type Ui, type UiContext } from '@aiperf/core'
import { clock, decimal } from './format.js'
import { logLine } from './log-lines.js'
import { errorText, progressOf, sending, stageName } from './progress.js'
import { clean, cut, widthOf } from './text.js'

/** One line that is kept up to date; in a pipe or CI one line per interval. All of it on stderr. */
export default defineUi({
  create: (context) => (context.stderr.isTTY && !process.env.CI && process.env.TERM !== 'dumb' ? progressLine(context) : lineByLine(context)),
})

/** What a person wants to know at a glance, the most important first: rate, errors, latency. */
export function figures(s: LiveSnapshot): string {
  if (!sending(s)) return ''
  const { ttft, itl, latency } = s.latency
  const parts = [`${decimal(s.achievedPerSecond)} req/s`, errorText(s)]
  if (ttft) parts.push(`TTFT ${decimal(ttft.p50)} ms`)
  if (itl) parts.push(`ITL ${decimal(itl.p50)} ms`)
  if (latency) parts.push(`latency ${decimal(latency.p50)} ms`)
  return parts.join(' · ')
}

/** Snapshots of one phase are one line, the wait for its last replies included; so are those of one step of preparation. */
const keyOf = (s: LiveSnapshot): string =>
  [sending(s) ? s.phase : s.stage, s.preparing?.what, s.sweep?.point].join(' ')

function progressLine({ stderr }: UiContext): Ui {
  let line = ''
  let key = ''
  let dirty = false
  const draw = () => stderr.write(`\r${line}\x1b[K`)
  return {
    update(s) {
      // The last state of a stage stays where it is; the next begins a line of its own.
      if (key && key !== keyOf(s)) stderr.write('\n')
      key = keyOf(s)
      line = barLine(s, stderr.columns || 80, stderr.hasColors())
      dirty = true
      draw()
    },
    log(level, message) {
      stderr.write(`${dirty ? '\r\x1b[K' : ''}${logLine(stderr, level, message)}`)
      if (dirty) draw()
    },
    async close() {
      if (dirty) stderr.write('\n')
    },
  }
}

const BAR = 20
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

function barLine(s: LiveSnapshot, columns: number, colors: boolean): string {
  const { share, leftSeconds, text } = progressOf(s)
  const left = leftSeconds === undefined || s.stage === 'grace' ? '' : `, ${clock(leftSeconds)} left`
  const place = s.sweep ? `[${s.sweep.done + 1}${s.sweep.total ? `/${s.sweep.total}` : ''}] ` : ''
  const head = clean(`${place}${stageName(s)} `)
  const rest = clean(` ${[share === undefined ? '' : `${Math.floor(share * 100)} %`, text, sending(s) ? `${clock(s.elapsedSeconds)}${left}` : '', figures(s)].filter(Boolean).join(' · ')}`)
  const bar = share === undefined || columns < 60 ? '' : `${colors ? '\x1b[32m' : ''}${filled(share)}${colors ? '\x1b[0m' : ''}`
  const room = columns - 1 - widthOf(head) - (bar ? BAR + 2 : 0)
  return `${cut(head, columns - 1)}${bar && `▕${bar}▏`}${cut(rest, Math.max(0, room))}`
}

function filled(share: number): string {
  const eighths = Math.round(share * BAR * 8)
  return ('█'.repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? '')).padEnd(BAR)
}

function lineByLine({ stderr, intervalSeconds }: UiContext): Ui {
  let key = ''
  let last: LiveSnapshot | undefined
  let written = ''
  let writtenAt = -Infinity
  const write = (s: LiveSnapshot) => {
    const { share, leftSeconds, text } = progressOf(s)
    const left = leftSeconds === undefined || s.stage === 'grace' ? '' : `, ${clock(leftSeconds)} left`
    const amount = `${text}${share === undefined ? '' : ` (${Math.floor(share * 100)} %)`}`
    const place = s.sweep ? `[${s.sweep.point}] ` : ''
    const parts = [`${place}${stageName(s)} ${amount}`.trim(), ...(sending(s) ? [`${clock(s.elapsedSeconds)}${left}`, figures(s), `${s.inFlight} in flight`] : [])]
    const line = `${clean(parts.join(' · '))}\n`
    if (line !== written) stderr.write(line)
    written = line
    writtenAt = performance.now()
    last = undefined
  }
  return {
    update(s) {
      const changed = key !== keyOf(s)
      if (changed && last) write(last)
      key = keyOf(s)
      last = s
      if (changed || performance.now() - writtenAt >= intervalSeconds * 1000) write(s)
    },
    log: (level, message) => void stderr.write(logLine(stderr, level, message)),
    async close() {
      if (last) write(last)
    },
  }
}
