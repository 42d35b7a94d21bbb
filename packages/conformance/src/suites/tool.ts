import type { Tool } from '@aiperf/core'
import { toolHost } from '@aiperf/core/host'
import type { ToolCase } from '../cases.js'
import { ensure, group, shown, type Group } from '../checks.js'
import { randomOf, type Subject } from '../subject.js'

const COLUMNS = 100

export function toolSuite(subject: Subject<'tool'>, given: ToolCase): Group[] {
  const make = (): Promise<Tool> => subject.create({ options: subject.options(given.options), random: randomOf(1) })
  async function run(signal = new AbortController().signal): Promise<{ exit: number; printed: string }> {
    let printed = ''
    const exit = await (await make()).run(toolHost(subject.host, { print: (text) => void (printed += text), warn: () => {}, progress: () => {}, columns: COLUMNS, signal }))
    return { exit, printed }
  }
  if (given.options === undefined && given.exit === undefined && given.prints === undefined) return []
  return [
    group('command', {
      'ends with its exit code': async () => {
        const { exit } = await run()
        ensure(exit === (given.exit ?? 0), `the exit code is ${shown(exit)}, expected ${given.exit ?? 0}`)
      },
      'prints through the host alone': async () => {
        const write = process.stdout.write
        let past = ''
        process.stdout.write = ((text: string | Uint8Array) => ((past += String(text)), true)) as typeof process.stdout.write
        try {
          const { printed } = await run()
          ensure(given.prints === undefined || printed.includes(given.prints), `stdout holds ${shown(printed)}, expected ${shown(given.prints)} in it`)
          ensure(!given.json || isJson(printed), `stdout is ${shown(printed)}, expected JSON and nothing else`)
        } finally {
          process.stdout.write = write
        }
        ensure(past === '', `it wrote ${shown(past)} to stdout itself: use print of the host`)
      },
    }),
  ]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
