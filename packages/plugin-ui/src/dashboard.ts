import type { WriteStream } from 'node:tty'
import { defineUi, type Ui, type UiContext } from '@aiperf/core'
import { frame, VIEW_KEYS } from './dashboard/frame.js'
import { glyphsFor } from './dashboard/glyphs.js'
import { LiveModel } from './dashboard/model.js'
import { painter } from './dashboard/paint.js'
import { Screen } from './dashboard/screen.js'
import { takeTerminal } from './dashboard/terminal.js'
import { logLine } from './log-lines.js'
import simple from './simple.js'

/** No more than five frames a second, however often numbers come; keys are answered at once. */
const FRAME_MS = 200
/** Warnings and errors that are said again after the view is gone. */
const REPEATED = 20

/** The full-screen live view. Without a terminal, and after it was left, the simple progress takes its place. */
export default defineUi({
  create(context) {
    const terminal = [context.stderr, context.stdout].find((stream) => stream.isTTY) as WriteStream | undefined
    return terminal && process.env.TERM !== 'dumb' ? liveView(context, terminal) : simple.create(context)
  },
})

function liveView(context: UiContext, terminal: WriteStream): Ui {
  const model = new LiveModel()
  const screen = new Screen(terminal)
  const glyphs = glyphsFor(process.env)
  const paint = painter(terminal.getColorDepth())
  let after: Ui | undefined
  let drawnAt = 0
  let timer: NodeJS.Timeout | undefined

  function draw(): void {
    clearTimeout(timer)
    timer = undefined
    drawnAt = performance.now()
    screen.draw(frame(model, context.title, terminal.columns || 80, terminal.rows || 24, glyphs).map(paint))
  }
  /** Draws now, or as soon as a frame is due again. */
  function refresh(): void {
    const wait = drawnAt + FRAME_MS - performance.now()
    if (wait <= 0) draw()
    else timer ??= setTimeout(draw, wait).unref()
  }

  function key(name: string): void {
    model.notice = ''
    const view = VIEW_KEYS[name]
    if (view) model.view = view
    else if (name === 'esc') model.view = 'overview'
    else if (name === 'l') model.logShown = !model.logShown
    else if (name === 'c') copyLog()
    else if (name === 'q') return leave()
    else if (name === 'ctrl-c') {
      model.ending = true
      context.interrupt()
    } else scroll(name)
    if (view || name === 'esc') model.logOffset = 0
    draw()
  }

  function scroll(name: string): void {
    const page = Math.max(1, (terminal.rows || 24) - 6)
    const by = { up: 1, down: -1, 'page-up': page, 'page-down': -page, home: Infinity, end: -Infinity }[name]
    if (by === undefined || model.view !== 'log') return
    model.logOffset = Math.max(0, Math.min(model.log.length - 1, model.logOffset + by))
  }

  /** By the terminal's own clipboard sequence (OSC 52), which also works over ssh. */
  function copyLog(): void {
    const text = model.log.map(({ time, level, message }) => `${time.toISOString()} ${level} ${message}`).join('\n')
    terminal.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`)
    model.notice = `${model.log.length} log lines copied, where the terminal allows it`
  }

  /** The view goes, the run stays. */
  function leave(): void {
    giveBack()
    clearTimeout(timer)
    after = simple.create(context) as Ui
    after.log('info', 'The run goes on; Ctrl-C ends it.')
    if (model.snapshot) after.update(model.snapshot)
  }

  const giveBack = takeTerminal(screen, process.stdin, { key, redraw: draw })
  draw()
  return {
    update(s) {
      if (after) return after.update(s)
      model.update(s, performance.now())
      refresh()
    },
    log(level, message) {
      if (after) return after.log(level, message)
      model.add(level, message, new Date())
      refresh()
    },
    async close() {
      clearTimeout(timer)
      if (after) return after.close()
      giveBack()
      const { stderr } = context
      for (const { level, message } of model.log.splice(0).filter((e) => e.level === 'warn' || e.level === 'error').slice(-REPEATED)) stderr.write(logLine(stderr, level, message))
    },
  }
}
