import type { JsonObject, LoadReport } from '../contracts/dataset.js'
import { ConfigurationError } from '../errors.js'

/** Bad lines that are listed before loading gives up under `fail`. */
const LISTED = 20
/** Bad lines that are named when they are left out. */
const NAMED = 3

/** Counts of what a load left out. */
export interface LoadCounts {
  bad: number
  skipped: number
  /** Reasons of `skipped` with their counts. */
  reasons: Record<string, number>
  /** The first bad lines, as shown. */
  firstBad: string[]
  warnings: string[]
  /** What `LoadReport.provenance` was told. */
  provenance: JsonObject[]
}

/** Collects what loaders report. Under `fail`, `finish` (or a score of bad lines) ends the load with all of them. */
export class DatasetReport implements LoadReport {
  readonly #mode: 'fail' | 'skip'
  readonly #onWarning: (message: string) => void
  readonly #onProgress: LoadReport['progress']
  readonly #counts: LoadCounts = { bad: 0, skipped: 0, reasons: {}, firstBad: [], warnings: [], provenance: [] }

  constructor(mode: 'fail' | 'skip', onWarning: (message: string) => void = () => {}, onProgress: LoadReport['progress'] = () => {}) {
    this.#mode = mode
    this.#onWarning = onWarning
    this.#onProgress = onProgress
  }

  get counts(): Readonly<LoadCounts> {
    return this.#counts
  }

  bad(where: { file: string; line: number }, reason: string): void {
    const counts = this.#counts
    counts.bad++
    if (counts.firstBad.length < LISTED) counts.firstBad.push(`${where.file}, line ${where.line}: ${reason}`)
    if (this.#mode === 'fail' && counts.bad === LISTED) throw this.#failure('; the rest was not read')
  }

  skipped(reason: string): void {
    this.#counts.skipped++
    this.#counts.reasons[reason] = (this.#counts.reasons[reason] ?? 0) + 1
  }

  warn(message: string): void {
    if (this.#counts.warnings.includes(message)) return
    this.#counts.warnings.push(message)
    this.#onWarning(message)
  }

  progress(what: string, done: number, total?: number): void {
    this.#onProgress(what, done, total)
  }

  provenance(entry: JsonObject): void {
    this.#counts.provenance.push(entry)
  }

  /** What was left out, in words; undefined when nothing was. */
  leftOut(): string | undefined {
    const { bad, firstBad, skipped, reasons } = this.#counts
    const parts: string[] = []
    if (bad > 0) parts.push(`${bad} bad line${bad === 1 ? '' : 's'} (${firstBad.slice(0, NAMED).join(' · ')}${bad > NAMED ? ' · …' : ''})`)
    if (skipped > 0) parts.push(`${skipped} ${skipped === 1 ? 'entry' : 'entries'} (${Object.entries(reasons).map(([reason, count]) => `${count} × ${reason}`).join(' · ')})`)
    return parts.length === 0 ? undefined : `left out of the dataset: ${parts.join(', ')}`
  }

  /** To be called when the loader is done. @throws ConfigurationError E_DATASET listing the bad lines, under `fail`. */
  finish(): void {
    if (this.#mode === 'fail' && this.#counts.bad > 0) throw this.#failure('')
    const leftOut = this.leftOut()
    if (leftOut !== undefined) this.warn(leftOut)
  }

  #failure(rest: string): ConfigurationError {
    const { firstBad } = this.#counts
    const hint = `correct the line${firstBad.length === 1 ? '' : 's'}, or give --on-bad-line skip to leave them out`
    return new ConfigurationError(
      firstBad.map((message, at) => ({
        flags: ['--input-file'],
        message: at === firstBad.length - 1 ? message + rest : message,
        ...(at === firstBad.length - 1 ? { hint } : {}),
      })),
      'E_DATASET',
    )
  }
}

