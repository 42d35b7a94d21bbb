import { MockServerOptionError, suggestion } from './check.js'
import { MOCK_SERVER_OPTIONS, type OptionDescription } from './list.js'
import type { MockServerOptions } from './types.js'

/** Where the server listens when it is started as a program and told nothing; in code `port` is 0, any that is free. */
export const PROGRAM_PORT = 8000

/**
 * Makes options of command-line flags (names without dashes), as text or already of the right type:
 * `{'ttft-ms': '50', 'fault-cut-rate': 0.1}` gives `{ttftMs: 50, faults: {cutRate: 0.1}}`. Undefined values are skipped.
 * Checks only that a flag exists and that text can be read as the flag's type; `startMockServer` checks the rest.
 */
export function optionsFromFlags(flags: Readonly<Record<string, unknown>>): MockServerOptions {
  const options: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [flag, value] of Object.entries(flags)) {
    if (value === undefined) continue
    const option = MOCK_SERVER_OPTIONS.find((candidate) => candidate.flag === flag)
    if (!option) {
      problems.push(`--${flag}: there is no such flag${suggestion(flag, MOCK_SERVER_OPTIONS.map((known) => known.flag))}`)
      continue
    }
    const read = typeof value === 'string' ? fromText(option, value) : value
    if (read === undefined) problems.push(`--${flag}: expected ${option.type}, got "${String(value)}"`)
    else place(options, option.name, read)
  }
  if (problems.length > 0) throw new MockServerOptionError(problems)
  return options
}

function fromText(option: OptionDescription, text: string): unknown {
  if (option.type === 'string') return text
  if (option.type === 'strings') return text.split(',').map((item) => item.trim())
  if (option.type === 'integers') return text.split(',').map(Number)
  if (option.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? undefined : number
}

function place(options: Record<string, unknown>, name: string, value: unknown): void {
  const [group, member] = name.split('.') as [string, string?]
  // `--batching` beside `--batching-max-running` must not undo the latter.
  if (!member) options[group] = typeof options[group] === 'object' && value === true ? options[group] : value
  else options[group] = { ...(typeof options[group] === 'object' ? options[group] : {}), [member]: value }
}
