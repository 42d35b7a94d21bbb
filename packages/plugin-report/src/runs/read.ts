import { AiperfError, type RunResult } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'
import { aggregateRun, sweepPoints } from './aggregate-run.js'
import { fileRun } from './file-run.js'
import { findRuns, type Found } from './find.js'
import { journalRun } from './journal-run.js'
import { labelRuns } from './label.js'
import type { LoadedRun, UnlabelledRun } from './loaded.js'
import { metricNames } from './metric-names.js'

export interface ReadContext {
  index: PluginIndex
  /** Evaluates the journal in a run's folder. */
  open(directory: string): Promise<{ result: RunResult; close(): void }>
  warn(message: string): void
}

export interface RunSet {
  runs: LoadedRun[]
  /** True when the runs belong to a sweep, a search or repeated runs, be it only one of them. */
  sweep: boolean
  close(): void
}

/** `concurrency 4` before `concurrency 16`. */
const ORDER = new Intl.Collator('en', { numeric: true })

/** Reads every run at or below the paths. Runs that cannot be read are told and left out; none at all is an error. */
export async function readRuns(paths: readonly string[], context: ReadContext): Promise<RunSet> {
  const names = metricNames(context.index)
  const closers: (() => void)[] = []
  const read: UnlabelledRun[] = []
  const found = findRuns(paths, context.warn)
  for (const place of found) {
    try {
      read.push(...(await readOne(place)))
    } catch (error) {
      context.warn(`${place.directory} is left out: ${(error as Error).message}`)
    }
  }
  if (read.length === 0)
    throw new AiperfError('E_INPUT_FILE', `${paths.join(', ')} ${found.length > 0 ? `hold${paths.length > 1 ? '' : 's'} no run that can be read` : `hold${paths.length > 1 ? '' : 's'} no run`}.`, {
      hint: 'A run is a folder that aiperf profile wrote: with a journal, or with profile_export_aiperf.json.',
    })
  return { runs: labelRuns(read).sort((a, b) => ORDER.compare(a.label, b.label)), sweep: read.some((run) => run.sweepId !== undefined || run.trials !== undefined), close: () => closers.forEach((close) => close()) }

  async function readOne(place: Found): Promise<UnlabelledRun[]> {
    if (place.kind === 'aggregate') return [aggregateRun(place.directory, place.summary, names)]
    if (place.kind === 'sweep') return sweepPoints(place.directory, place.summary, names)
    if (place.kind === 'files') return [fileRun(place, names)]
    const { result, close } = await context.open(place.directory)
    closers.push(close)
    return [journalRun(result, place.directory, names)]
  }
}
