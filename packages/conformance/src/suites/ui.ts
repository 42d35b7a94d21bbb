import { Writable } from 'node:stream'
import type { LiveSnapshot, Ui } from '@aiperf/core'
import { ensure, group, shown, within, type Group } from '../checks.js'
import type { Subject } from '../subject.js'

const SNAPSHOT: LiveSnapshot = {
  stage: 'profiling', phase: 'profiling', elapsedSeconds: 12.5, sent: 120, completed: 100, errors: 3, inFlight: 20, sessionsInFlight: 20, skipped: 0, expected: { requests: 1000 }, achievedPerSecond: 9.7, outputTokensPerSecond: 620, latency: { ttft: { p50: 20, p90: 40, p99: 80 } },
  errorClasses: [{ type: 'Service Unavailable', count: 3, message: 'overloaded\u001b[2J\nsecond line' }], workers: [{ id: 0, inFlight: 20, sent: 120, completed: 100, errors: 3, utilization: 0.4, bytesRead: 1e6 }], backlogBytes: 0, telemetry: [{ source: 'gpu', label: 'GPU 0', value: '300 W' }],
}
const STAGES: LiveSnapshot['stage'][] = ['preparing', 'warmup', 'profiling', 'grace', 'records', 'exporting', 'done']

/** A terminal that keeps what is written to it. */
function terminal(isTTY: boolean): { stream: NodeJS.WriteStream; text(): string } {
  let written = ''
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => void ((written += chunk.toString()), done()) })
  Object.assign(stream, { isTTY, columns: 80, rows: 24, hasColors: () => false, getColorDepth: () => 1, cursorTo: () => true, clearLine: () => true, moveCursor: () => true, getWindowSize: () => [80, 24] })
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => written }
}

export function uiSuite(subject: Subject<'ui'>): Group[] {
  const show = async (isTTY: boolean, act: (ui: Ui) => void): Promise<{ out: string; err: string }> => {
    const [stdout, stderr] = [terminal(isTTY), terminal(isTTY)]
    const ui = await subject.create({ stdout: stdout.stream, stderr: stderr.stream, title: 'conformance', intervalSeconds: 0.01, interrupt: () => {} })
    try {
      act(ui)
    } finally {
      await within(5000, 'close', ui.close())
    }
    return { out: stdout.text(), err: stderr.text() }
  }
  const everything = (ui: Ui) => {
    for (const stage of STAGES) ui.update({ ...SNAPSHOT, stage })
    ui.update({ ...SNAPSHOT, stage: 'preparing', preparing: { what: 'dataset', done: 5 }, expected: {}, latency: {}, errorClasses: [], workers: [], telemetry: [] })
    for (const level of ['debug', 'info', 'warn', 'error'] as const) ui.log(level, `a line of ${level}`)
  }
  return [
    group('showing', {
      'every stage, to a terminal and to a file': async () => {
        for (const isTTY of [true, false]) await show(isTTY, everything)
      },
      'results have stdout for themselves': async () => {
        const { out } = await show(false, everything)
        ensure(out === '', `it wrote to stdout, where results go: ${shown(out)}`)
      },
      'nothing is shown before the end of the first update': async () => {
        await show(false, () => {})
      },
    }),
  ]
}
