/**
 * Exit codes: 0 the run ended with at least one success; 1 no request succeeded, or a fault of the program or its
 * surroundings; 2 the command line, configuration or input is wrong; 3 a limit the user set was crossed
 * (`--strict`, `--failed-request-threshold`, `compare --fail-on`); 4 some runs of several failed, the others have their
 * results; 130 interrupted, results of what was measured are written.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, limit: 3, partial: 4, interrupted: 130 } as const

/** Every error the program reports: stable code, exit code and title. The message itself says what to do. */
export const ERRORS = {
  E_CONFIG: { exit: EXIT.usage, title: 'The configuration cannot be used' },
  E_COMMAND: { exit: EXIT.usage, title: 'The command cannot be carried out' },
  E_FLAG_UNKNOWN: { exit: EXIT.usage, title: 'Unknown flag' },
  E_INPUT_FILE: { exit: EXIT.usage, title: 'An input file cannot be read' },
  E_DATASET: { exit: EXIT.usage, title: 'The dataset cannot be used' },
  E_PLUGIN_UNKNOWN: { exit: EXIT.usage, title: 'No such plugin' },
  E_PLUGIN_AMBIGUOUS: { exit: EXIT.usage, title: 'Several packages offer this name' },
  E_PLUGIN_LOAD: { exit: EXIT.failed, title: 'A plugin cannot be loaded' },
  E_PLUGIN_API: { exit: EXIT.failed, title: 'A plugin was written for another version of the contract' },
  E_PLUGIN_SHAPE: { exit: EXIT.failed, title: 'A plugin does not keep its contract' },
  E_TOKENIZER: { exit: EXIT.failed, title: 'The tokenizer cannot be loaded' },
  E_ARTIFACTS: { exit: EXIT.failed, title: 'The artifact directory cannot be written' },
  E_JOURNAL: { exit: EXIT.failed, title: 'The journal cannot be read or written' },
  E_DISK: { exit: EXIT.failed, title: 'Writing results failed' },
  E_THREAD: { exit: EXIT.failed, title: 'A thread of the engine ended unexpectedly' },
  E_SERVER: { exit: EXIT.failed, title: 'The server cannot be used' },
  E_NO_SUCCESS: { exit: EXIT.failed, title: 'No request succeeded' },
  E_ENCODE: { exit: EXIT.usage, title: 'A request body cannot be made' },
  E_EXPORT: { exit: EXIT.failed, title: 'An exporter failed' },
  E_STRICT: { exit: EXIT.limit, title: 'The result is not valid (--strict)' },
  E_ERROR_THRESHOLD: { exit: EXIT.limit, title: 'Too many requests failed' },
  E_PARTIAL: { exit: EXIT.partial, title: 'Some runs failed' },
  E_REGRESSION: { exit: EXIT.limit, title: 'A metric is worse, or cannot be told (--fail-on)' },
  E_NOT_COMPARABLE: { exit: EXIT.usage, title: 'The runs cannot be compared' },
  E_INTERRUPTED: { exit: EXIT.interrupted, title: 'Interrupted' },
  E_INTERNAL: { exit: EXIT.failed, title: 'A fault of the program' },
} as const satisfies Record<string, { exit: number; title: string }>

export type ErrorCode = keyof typeof ERRORS

/** One thing wrong with a configuration: what was expected, what was got, what to do. */
export interface Problem {
  /** Kind of the problem, when it is not just a configuration that cannot be used. */
  code?: ErrorCode
  /** Flags (or config paths) concerned, as the user wrote them where known. */
  flags: string[]
  message: string
  /** What to do about it. */
  hint?: string
}

/** An error meant for a person: never shown with a stack trace. Recognised by `name`, not by `instanceof`. */
export class AiperfError extends Error {
  override readonly name: string = 'AiperfError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
  }
  get exitCode(): number {
    return ERRORS[this.code].exit
  }
}

/** All problems of a configuration at once. */
export class ConfigurationError extends AiperfError {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[], code: ErrorCode = 'E_CONFIG') {
    super(code, problems.map((p) => p.message).join('\n'))
    this.problems = problems
  }
}
