// Shows a made-up run in a terminal: node test-support/show.mjs UI [end|crash|sigterm|sighup|sigint] [SECONDS]
// It is what the terminal tests run, and a way to look at a view by hand.
import { setTimeout as sleep } from 'node:timers/promises'

const [name = 'dashboard', ending = 'end', seconds = '60'] = process.argv.slice(2)
const { default: contribution } = await import(`../dist/${name}.js`)
let interrupts = 0
let over = false
const ui = contribution.create({
  stdout: process.stdout,
  stderr: process.stderr,
  title: 'chat · example-8b · http://127.0.0.1:8000',
  intervalSeconds: 1,
  interrupt() {
    interrupts += 1
    over = true
  },
})
// As the program does; without it, what the view itself does about signals is seen.
if (!ending.startsWith('sig')) process.on('SIGINT', () => (over = true))

const wave = (base, spread, t) => base + spread * Math.sin(t / 3) + spread * 0.4 * Math.sin(t * 2.1)
const percentiles = (p50) => ({ p50, p90: p50 * 1.2, p99: p50 * 1.7 })
const run = Number(seconds)

ui.log('info', 'Dataset: synthetic, 2,000 sessions')
for (let done = 0; done < 2000 && !over; done += 500) {
  ui.update(snapshot('preparing', '', 0, { preparing: { what: 'sessions', done, total: 2000 } }))
  await sleep(30)
}
for (let t = 0; t < 1 && !over; t += 0.5) {
  ui.update(snapshot('warmup', 'warmup', t, { expected: { requests: 10 }, completed: Math.floor(t * 10), sent: 10 }))
  await sleep(100)
}
ui.log('warn', 'the server sent a usage that differs from the count of the tokens by 2')
for (let t = 0; t < run && !over; t += 0.25) {
  ui.update(snapshot('profiling', 'profiling', t))
  if (Math.round(t * 4) % 20 === 7) ui.log('info', `checkpoint at ${t} s \x1b[31mnot red\x1b[0m 日本語`)
  if (ending.startsWith('sig') && t >= 1) process.kill(process.pid, ending.toUpperCase())
  if (ending === 'crash' && t >= 1) setImmediate(() => { throw new Error('made-up crash') })
  await sleep(250)
}
await ui.close()
console.log(`interrupts: ${interrupts}`)

function snapshot(stage, phase, t, more = {}) {
  const share = t / run
  const completed = Math.floor(share * 2000)
  return {
    stage,
    phase,
    elapsedSeconds: t,
    sent: completed + 32,
    completed,
    errors: Math.floor(completed / 300),
    inFlight: 32,
    sessionsInFlight: 32,
    skipped: 0,
    expected: { requests: 2000, seconds: run + 5 },
    offeredPerSecond: 102,
    achievedPerSecond: wave(100, 6, t),
    outputTokensPerSecond: wave(12800, 900, t),
    latency: stage === 'profiling' ? { ttft: percentiles(wave(52, 4, t)), itl: percentiles(5.04), latency: percentiles(wave(310, 30, t)), lag: { p50: 0.08, p90: 0.2, p99: 0.61 } } : {},
    recent: stage === 'profiling' ? { ttft: wave(52, 12, t), itl: wave(5, 0.4, t), latency: wave(310, 80, t), lag: wave(0.1, 0.05, t) } : {},
    errorClasses: completed > 600 ? [{ type: 'HTTP 503', count: Math.floor(completed / 400), message: 'Service Unavailable: the queue is full' }, { type: 'incomplete', count: 2, message: 'the stream ended without a finish reason' }] : [],
    workers: [0, 1].map((id) => ({ id, inFlight: 16, sent: completed / 2 + 16, completed: completed / 2, errors: id, utilization: wave(0.5, 0.15, t + id * 2), bytesRead: completed * 51234 })),
    backlogBytes: 1234,
    telemetry: stage === 'profiling' ? [
      { source: 'dcgm', label: 'GPU 0 utilization', value: `${Math.round(wave(92, 5, t))} %` },
      { source: 'dcgm', label: 'GPU 0 memory', value: '71.2 / 80 GiB' },
      { source: 'dcgm', label: 'GPU 0 power', value: `${Math.round(wave(640, 30, t))} W` },
      { source: 'server', label: 'requests running', value: '32' },
      { source: 'server', label: 'requests waiting', value: '0' },
      { source: 'server', label: 'KV cache use', value: '41.3 %' },
    ] : [],
    ...more,
  }
}
