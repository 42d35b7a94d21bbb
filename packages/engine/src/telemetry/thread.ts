import { parentPort, workerData } from 'node:worker_threads'
import { createHost, type Host } from '@aiperf/core/host'
import type { TelemetryMeta } from '@aiperf/core'
import { createNow } from '../shared/clock.js'
import { packFailure } from '../shared/failure.js'
import { prioritise } from '../shared/health.js'
import { within } from '../shared/promises.js'
import { SourceFile, TargetLog } from './append.js'
import { Live } from './live.js'
import type { FromTelemetry, TelemetryThreadData, ToTelemetry } from './messages.js'
import { Pace } from './pace.js'
import { createRunner, type Runner } from './runner.js'

const LIVE_MS = 1000

const data = workerData as TelemetryThreadData
const port = parentPort!
const post = (message: FromTelemetry): void => port.postMessage(message)
const now = createNow(data.origin)
const said = new Set<string>()
const say = (level: 'debug' | 'info' | 'warn', message: string): void => {
  if (said.has(message)) return
  said.add(message)
  post({ type: 'log', level, message })
}
// A fault in a source's timers or streams must not take the other sources with it.
process.on('uncaughtException', (error) => say('warn', `telemetry: ${error.message}`))

interface Running {
  runners: Runner[]
  file: SourceFile
  live: Live
  stop(): Promise<void>
}

const pace = new Pace((message) => say('info', message))
const running: Running[] = []
/** Sources that have not found their targets yet. */
const looking = new Map<string, 'warn' | 'info'>()
const stopping = new AbortController()

async function startSource(host: Host, { name, options, asked }: TelemetryThreadData['sources'][number]): Promise<void> {
  const found = host.find('telemetry_source', name)
  const meta = found.meta as unknown as TelemetryMeta
  let source
  try {
    source = await host.activate('telemetry_source', name, { options, urls: data.urls, headers: data.headers, tls: data.tls, now, log: say })
  } catch (error) {
    if (asked) throw error
    say('warn', `${(error as Error).message}; the run goes on without it`)
    return
  }
  let targets
  looking.set(name, asked ? 'warn' : 'info')
  try {
    targets = await source.discover(stopping.signal)
    looking.delete(name)
  } catch (error) {
    looking.delete(name)
    // A mistake of the user's, such as a file that is not there: known before the run, told instead of it.
    if (asked && (error as Error)?.name === 'AiperfError') throw error
    say(asked ? 'warn' : 'info', `${name}: ${(error as Error)?.message ?? String(error)}`)
    return
  }
  if (stopping.signal.aborted || targets.length === 0) {
    await source.stop?.()
    return
  }
  const head = { telemetry: 1, source: name, package: `${found.package} ${found.version}`, title: meta.title ?? name, ownExporter: meta.ownExporter === true } as const
  const file = new SourceFile(data.journal, head, data.limits, (message) => say('warn', `${name}: ${message}`))
  const runners = targets.map((target, index) => {
    file.write({ target: index, name: target.name, asked: target.asked, intervalMs: target.intervalMs, ...(target.absent === undefined ? {} : { absent: target.absent }) })
    return createRunner(target, { log: new TargetLog(index, file, data.limits), file, pace, now, say })
  })
  running.push({
    runners,
    file,
    live: new Live(name, source, runners.map((runner, i) => ({ name: targets[i]!.name, log: runner.log }))),
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop().catch(() => {})))
      await source.stop?.()
      for (const { log } of runners) if (log.leftOut > 0) say('warn', `${name}: ${targets[log.index]!.name} has more than ${data.limits.maxSeries} series; the rest is left out`)
    },
  })
  for (const runner of runners) runner.start()
}

async function stop(): Promise<void> {
  for (const [name, level] of looking) say(level, `${name}: nothing had answered when the run ended`)
  stopping.abort()
  clearInterval(liveTimer)
  pace.stop()
  await within(data.limits.borderMs, Promise.allSettled(running.map((source) => source.stop())))
  for (const { file } of running) file.close()
  post({ type: 'stopped' })
  port.close()
}

port.on('message', (message: ToTelemetry) => {
  if (message.type === 'stop') void stop()
  else {
    const borders = running.flatMap(({ runners }) => runners.map((runner) => runner.border(message.border)))
    void within(data.limits.borderMs, Promise.allSettled(borders)).then(() => post({ type: 'bordered', id: message.id }))
  }
})

const liveTimer = data.live
  ? setInterval(() => {
      try {
        post({ type: 'live', lines: running.flatMap(({ live }) => live.lines()) })
      } catch (error) {
        say('debug', `live telemetry: ${(error as Error).message}`)
      }
    }, LIVE_MS)
  : undefined

async function start(): Promise<void> {
  const host = createHost(data.index)
  pace.start()
  const started = data.sources.map((source) => startSource(host, source))
  const all = Promise.all(started)
  await within(data.limits.discoverMs, all.catch(() => {}))
  // An error that came in time is told; a source that still looks round joins in later.
  await Promise.race([all, Promise.resolve()])
  post({ type: 'ready' })
  all.catch((error: unknown) => post(packFailure(error, 'E_PLUGIN_LOAD')))
  prioritise('telemetry')
}
start().catch((error: unknown) => post(packFailure(error, 'E_PLUGIN_LOAD')))
