import type { DatasetLoader, JsonObject, LoadReport, Source } from '@aiperf/core'

/** What is known of a dataset after it was read to its end. */
export interface Validation {
  valid: boolean
  sessions: number
  turns: number
  turnsWithTimestamp: number
  /** Sum of the input lengths that the dataset states, tokens. */
  inputTokens: number
  bad: { file: string; line: number; reason: string }[]
  badCount: number
  skipped: Record<string, number>
  warnings: string[]
}

/** Collects everything a loader reports, and never ends the load. */
export class ValidationReport implements LoadReport {
  readonly badLines: { file: string; line: number; reason: string }[] = []
  readonly skips: Record<string, number> = {}
  readonly warnings: string[] = []
  badCount = 0
  readonly #limit: number

  /** `limit`: bad lines that are kept; all are counted. */
  constructor(limit: number) {
    this.#limit = limit
  }

  bad({ file, line }: { file: string; line: number }, reason: string): void {
    if (this.badCount++ < this.#limit) this.badLines.push({ file, line, reason })
  }
  skipped(reason: string): void {
    this.skips[reason] = (this.skips[reason] ?? 0) + 1
  }
  warn(message: string): void {
    if (!this.warnings.includes(message)) this.warnings.push(message)
  }
  progress(): void {}
  provenance(_entry: JsonObject): void {}
}

/** Reads a dataset as a run would, without making prompts, and says what it holds and what is wrong with it. */
export async function validateDataset(loader: DatasetLoader, openSource: (report: LoadReport) => Source, limit = 100): Promise<Validation> {
  const report = new ValidationReport(limit)
  const found = { sessions: 0, turns: 0, turnsWithTimestamp: 0, inputTokens: 0 }
  for await (const session of loader.load(openSource(report), report)) {
    found.sessions++
    for (const turn of session.turns) {
      found.turns++
      if (turn.timestampMs !== undefined) found.turnsWithTimestamp++
      found.inputTokens += turn.inputTokens ?? 0
    }
  }
  return { valid: report.badCount === 0 && found.sessions > 0, ...found, bad: report.badLines, badCount: report.badCount, skipped: report.skips, warnings: report.warnings }
}
