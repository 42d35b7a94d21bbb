import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { sleep } from './checks.js'

/** What keeps a program alive, or costs it something, when nobody ends it. */
const WATCHED: Readonly<Record<string, string>> = {
  Timeout: 'a timer', Immediate: 'an immediate', TCPWRAP: 'a connection', TCPSERVERWRAP: 'a listening server', TLSWRAP: 'a TLS connection', PIPEWRAP: 'a pipe', PIPESERVERWRAP: 'a listening pipe',
  UDPWRAP: 'a UDP socket', PROCESSWRAP: 'a child process', FSEVENTWRAP: 'a file watcher', STATWATCHER: 'a file watcher', SIGNALWRAP: 'a signal handler', HTTP2SESSION: 'an HTTP/2 session', WORKER: 'a worker thread',
}
/** Things end a turn or two of the event loop after they were told to. */
const PATIENCE_MS = 1000

interface Opened {
  what: string
  where: string
  resource: { hasRef?(): boolean }
}

const inside = new AsyncLocalStorage<Map<number, Opened>>()
let watchers = 0
function opening(id: number, type: string, _trigger: number, resource: object): void {
  const what = WATCHED[type]
  if (what !== undefined) inside.getStore()?.set(id, { what, where: caller(), resource })
}
const hook = createHook({
  init: opening,
  destroy(id) {
    for (const opened of open) opened.delete(id)
  },
})
const open = new Set<Map<number, Opened>>()

/**
 * Runs an action and says what it, and everything that it set going, left behind: timers, sockets, processes. Things that
 * do not keep a program alive (`unref`) are not counted.
 */
export async function leftovers(action: () => void | Promise<void>): Promise<string[]> {
  const opened = new Map<number, Opened>()
  open.add(opened)
  if (watchers++ === 0) hook.enable()
  try {
    await inside.run(opened, action)
    for (const end = performance.now() + PATIENCE_MS; alive(opened).length > 0 && performance.now() < end; ) await inside.exit(() => sleep(5))
    return alive(opened).map(({ what, where }) => `${what}${where}`)
  } finally {
    if (--watchers === 0) hook.disable()
    open.delete(opened)
  }
}

const alive = (opened: ReadonlyMap<number, Opened>): Opened[] => [...opened.values()].filter(({ resource }) => resource?.hasRef?.() !== false)

/** The module that opened it: the first frame outside of Node. */
function caller(): string {
  const holder: { stack?: string } = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 30
  Error.captureStackTrace(holder, opening)
  Error.stackTraceLimit = stackTraceLimit
  const frame = holder.stack?.split('\n').find((line) => line.includes('/') && !line.includes('node:'))
  const place = frame?.match(/\(?((?:file:\/\/)?\/?[^()]+:\d+:\d+)\)?$/)?.[1]?.replace(/^\s*at\s+/, '').replace('file://', '')
  return place === undefined ? '' : ` made at ${place}`
}
