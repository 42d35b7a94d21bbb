import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { AiperfError } from '@aiperf/core'
import { readRuns, type ReadContext } from '../runs/read.js'
import { comparisonReport } from './comparison-report.js'
import { runReport } from './run-report.js'

export interface ReportRequest {
  paths: readonly string[]
  /** File; without it `report.html` in the folder of the run or of the sweep, or `comparison.html` in the first of several paths. */
  output?: string
  theme?: 'light' | 'dark'
}

export const REPORT_FILE = 'report.html'
/** What compares a run with others must not take the place of its own report. */
const COMPARISON_FILE = 'comparison.html'

/** Writes the report of what is at or below the paths: of one run, or of several compared. */
export async function writeReport({ paths, output, theme }: ReportRequest, context: ReadContext): Promise<{ file: string; runs: number }> {
  const set = await readRuns(paths, context)
  try {
    const [only] = set.runs
    const single = set.runs.length === 1 && !set.sweep
    const file = resolve(output ?? (single ? join(only!.directory, REPORT_FILE) : join(paths[0]!, paths.length > 1 ? COMPARISON_FILE : REPORT_FILE)))
    const page = single ? await runReport(only!, theme) : await comparisonReport(set.runs, file, theme)
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, page)
    } catch (cause) {
      throw new AiperfError('E_DISK', `${file} cannot be written: ${(cause as Error).message}`, { cause })
    }
    return { file, runs: set.runs.length }
  } finally {
    set.close()
  }
}
