import type { ReadStream } from 'node:tty'
import { keysOf } from './keys.js'
import type { Screen } from './screen.js'

/** Signals that end a process without its exit handlers, unless somebody listens. */
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

export interface TerminalEvents {
  key(name: string): void
  /** The size changed, or the process was stopped and goes on. */
  redraw(): void
}

/** Takes the terminal over (full screen, single keys) and gives it back, however the process ends. */
export function takeTerminal(screen: Screen, stdin: ReadStream, events: TerminalEvents): () => void {
  const onData = (data: string) => {
    for (const key of keysOf(data)) key === 'ctrl-z' ? stop() : events.key(key)
  }
  const onResize = () => {
    screen.invalidate()
    events.redraw()
  }
  const raw = (on: boolean) => {
    if (stdin.isTTY) stdin.setRawMode(on)
  }
  const onCrash = () => {
    screen.leaveNow()
    raw(false)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    // Only when nobody else decides what the signal means.
    if (process.listenerCount(signal) > 1) return
    onCrash()
    process.off(signal, onSignal)
    process.kill(process.pid, signal)
  }
  function stop(): void {
    onCrash()
    process.once('SIGCONT', () => {
      raw(true)
      screen.enter()
      events.redraw()
    })
    process.kill(process.pid, 'SIGTSTP')
  }

  screen.enter()
  if (stdin.isTTY) {
    raw(true)
    stdin.setEncoding('utf8')
    stdin.on('data', onData)
    stdin.resume()
  }
  screen.stream.on('resize', onResize)
  process.on('exit', onCrash)
  process.on('uncaughtExceptionMonitor', onCrash)
  for (const signal of SIGNALS) process.on(signal, onSignal)

  return () => {
    screen.leave()
    raw(false)
    stdin.off('data', onData)
    if (stdin.isTTY) stdin.pause()
    screen.stream.off('resize', onResize)
    process.off('exit', onCrash)
    process.off('uncaughtExceptionMonitor', onCrash)
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
