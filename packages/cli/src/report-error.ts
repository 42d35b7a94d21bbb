import { ERRORS, EXIT, type AiperfError, type ConfigurationError, type ErrorCode, type Problem } from '@aiperf/core'

const COLOR = process.stderr.isTTY && process.env['NO_COLOR'] === undefined
const paint = (code: number, text: string): string => (COLOR ? `\u001b[${code}m${text}\u001b[0m` : text)

/** Errors of the command line framework: they carry an exit code of their own. */
interface FrameworkError extends Error {
  oclif?: { exit?: number }
}

/** Prints an error for a person on stderr, never a stack trace, and returns the exit code it stands for. */
export function reportError(error: unknown): number {
  if (isOurs(error)) {
    const problems = 'problems' in error ? (error as ConfigurationError).problems : [problemOf(error)]
    print(error.code, problems)
    trace(error)
    return error.exitCode
  }
  const framework = error as FrameworkError
  if (framework?.oclif !== undefined) {
    if (framework.oclif.exit === EXIT.ok) return EXIT.ok
    if (framework.message && !/^EEXIT: \d+$/.test(framework.message)) print('E_COMMAND', [{ flags: [], message: framework.message.split('\n')[0]!, hint: 'aiperf --help lists the commands, aiperf COMMAND --help their flags.' }])
    trace(error)
    // Everything the framework itself complains of is a command line that it cannot read.
    return EXIT.usage
  }
  const message = error instanceof Error ? error.message : String(error)
  print('E_INTERNAL', [{ flags: [], message: `${message.split('\n')[0]}`, hint: 'Set AIPERF_DEBUG=1 to see where, and please report it.' }])
  trace(error)
  return ERRORS.E_INTERNAL.exit
}

/** Prints errors that did not keep results from being written. */
export function reportFailures(failures: readonly AiperfError[]): void {
  for (const code of new Set(failures.map((failure) => failure.code))) print(code, failures.filter((failure) => failure.code === code).map(problemOf))
}

/** One error out of all problems of a configuration; the code says what they have in common. */
export function codeOf(problems: readonly Problem[]): ErrorCode {
  const codes = new Set(problems.map((problem) => problem.code ?? 'E_CONFIG'))
  return codes.size === 1 ? [...codes][0]! : 'E_CONFIG'
}

const isOurs = (error: unknown): error is AiperfError => (error as Error | undefined)?.name === 'AiperfError'
const problemOf = (error: AiperfError): Problem => ({ flags: [], message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) })

function print(code: ErrorCode, problems: readonly Problem[]): void {
  const lines = [`${paint(31, 'Error')} ${paint(1, ERRORS[code].title)} (${code})`]
  for (const [i, { message, hint }] of problems.entries()) {
    lines.push(`  ${paint(31, '•')} ${message.replaceAll('\n', '\n    ')}`)
    // Advice for several in a row is given once, after the last of them.
    if (hint && hint !== problems[i + 1]?.hint) lines.push(`    ${paint(2, hint.replaceAll('\n', '\n    '))}`)
  }
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** Where it happened, for whoever mends it. */
function trace(error: unknown): void {
  if (process.env['AIPERF_DEBUG']) process.stderr.write(`${(error as Error)?.stack ?? String(error)}\n`)
}
