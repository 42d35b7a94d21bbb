import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AiperfError, EXIT, type JsonObject, type Orchestration, type RunModel } from '@aiperf/core'
import { createHost } from '@aiperf/core/host'
import { createPlanDirectory } from '../control/directory.js'
import { redact } from '../control/manifest.js'
import { layoutOf } from './layout.js'
import { Ledger, writeWhole, type RunRecord } from './ledger.js'
import type { Plan } from './plan.js'
import { folderNames, labelOf } from './points/names.js'
import { repeatsText, searchText, sweepText } from './console.js'
import { visitedPoints } from './history.js'
import { writeResults, type Results, type RunCell } from './results.js'
import { runSearch, type SearchOutcome } from './search-loop.js'
import { Session, type SessionContext } from './session.js'
import { runSweep } from './sweep-loop.js'

export interface OrchestrationOutcome {
  directory: string
  exitCode: number
  /** Written beside the runs' own. */
  files: string[]
  /** Why the exit code is not 0. */
  failure?: AiperfError
}

/** Runs a plan to its files, or to where it is interrupted. What was run stays, and `--resume` goes on from it. */
export async function runPlan(plan: Plan, context: SessionContext): Promise<OrchestrationOutcome> {
  const { orchestration, kind } = plan
  const { directory, ledger } = open(plan, context)
  const layout = layoutOf({ kind, trials: orchestration.repeats.runs, order: orchestration.order })
  const session = new Session(plan, ledger, layout, context)
  for (const notice of plan.notices) context.ui.log('warn', notice)
  const files = writePlanned(plan, directory, layout.sweepAggregate)
  try {
    let search: SearchOutcome | undefined
    let cells: RunCell[]
    let results: Results
    if (kind === 'search') {
      search = await runSearch(session)
      files.push(...search.files)
      cells = searchCells(search, ledger)
      results = await writeResults(session, cells, new Map())
    } else {
      const convergence = await runSweep(session)
      cells = plan.cells.map((cell) => ({ ...cell, records: ledger.runs().filter((r) => r.cell === cell.index) }))
      results = await writeResults(session, cells, convergence)
    }
    files.push(...results.files)
    for (const notice of results.notices) context.ui.log('warn', notice)
    await context.ui.close()
    const records = cells.flatMap((cell) => cell.records)
    if (context.console.output === 'json') context.print(`${JSON.stringify(search?.history ?? results.json)}\n`)
    else context.print((search ? searchText(search, results, plan, context.console) : kind === 'sweep' ? sweepText(results, plan, context.console) : repeatsText(results, plan)) + failedText(records))
    const { exitCode, failure } = judge(records, orchestration, plan.base.model, session.interrupted)
    return { directory, exitCode, files, ...(failure ? { failure } : {}) }
  } finally {
    await session.close()
    ledger.close()
  }
}

function open(plan: Plan, context: SessionContext): { directory: string; ledger: Ledger } {
  const { base, kind, orchestration } = plan
  const fingerprint = fingerprintOf(plan)
  if (orchestration.resume) {
    const directory = resumable(base.model)
    return { directory, ledger: Ledger.resume(directory, fingerprint) }
  }
  const sweepId = randomUUID()
  const directory = createPlanDirectory(base.model, createHost(context.index), kind, new Date(), sweepId)
  const before = Ledger.planOf(directory)
  if (before) context.ui.log('warn', `${directory} holds an earlier plan; its runs are made anew (--resume would go on with it).`)
  return { directory, ledger: Ledger.begin(directory, { sweepId, fingerprint }) }
}

/** The folder that was named, or the newest one. */
function resumable({ artifacts }: RunModel): string {
  const root = resolve(artifacts.dir)
  if (artifacts.dirGiven) return root
  try {
    return realpathSync(join(root, 'latest'))
  } catch {
    throw new AiperfError('E_CONFIG', `--resume: ${root} holds no folder of an earlier start.`, { hint: 'Name the folder with --artifact-dir.' })
  }
}

/** Everything that decides which runs are made and what they measure; not where files go and what is shown. */
function fingerprintOf({ kind, base, orchestration, cells, search }: Plan): JsonObject {
  const { artifacts, ui: _ui, runtime, ...model } = redact(base.model)
  const { dir: _dir, dirGiven: _given, ...kept } = artifacts
  const { workers, recorders, seed } = runtime
  const { resume: _resume, table: _table, failOn: _failOn, ...plan } = orchestration
  const content = { kind, model: { ...model, artifacts: kept, runtime: { workers, recorders, seed } }, plan, points: cells.map((cell) => ({ label: cell.label, overlay: cell.overlay })), search }
  return JSON.parse(JSON.stringify(content)) as JsonObject
}

function writePlanned({ files }: Plan, directory: string, folder: string): string[] {
  return Object.entries(files).map(([name, content]) => {
    mkdirSync(join(directory, folder), { recursive: true })
    writeWhole(join(directory, folder, name), content)
    return join(folder, name)
  })
}

/** The points of a search, each once, with all their runs. */
function searchCells(search: SearchOutcome, ledger: Ledger): RunCell[] {
  const visited = visitedPoints(search.iterations)
  const folders = folderNames(visited.map(({ point }) => ({ values: point, overlay: {} })))
  const records = ledger.runs()
  const cells = visited.map(({ point, iterations }, i) => {
    const at = new Set(iterations.map((it) => it.index))
    return { folder: folders[i]!, label: labelOf({ values: point, overlay: {} }, i), values: point, records: records.filter((r) => at.has(r.cell)) }
  })
  // Along a single dimension, in its order; of several, as they were run.
  return cells.sort((a, b) => (Object.keys(a.values).length === 1 ? Number(Object.values(a.values)[0]) - Number(Object.values(b.values)[0]) : 0))
}

const failedText = (records: readonly RunRecord[]): string => {
  const failed = records.filter((r) => r.status !== 'ok')
  return failed.length === 0 ? '' : `\nFailed runs (--resume makes them again)\n${failed.map((r) => `  ${r.label}${r.trial > 0 ? ` run ${r.trial + 1}` : ''}: ${r.error ?? r.status}`).join('\n')}\n`
}

function judge(records: readonly RunRecord[], { failOn }: Orchestration, model: RunModel, interrupted: boolean): { exitCode: number; failure?: AiperfError } {
  const failed = records.filter((r) => r.status === 'failed')
  const ok = records.length - records.filter((r) => r.status !== 'ok').length
  const because = (failure: AiperfError) => ({ exitCode: failure.exitCode, failure })
  if (interrupted) return because(new AiperfError('E_INTERRUPTED', `Interrupted after ${ok === 1 ? 'one run; its' : `${ok} runs; their`} files are written.`, { hint: 'The same command with --resume goes on from here.' }))
  if (ok === 0) return because(new AiperfError('E_NO_SUCCESS', `None of the ${records.length} runs succeeded: ${failed[0]?.error ?? 'nothing was run'}.`, { hint: 'Is the server running at the --url, and does it know the model?' }))
  const limit = failOn === 'any' ? 1 : failOn === 'all' ? Infinity : failOn
  if (failed.length >= limit) return because(new AiperfError('E_PARTIAL', `${failed.length} of ${records.length} runs failed: ${failed[0]!.label}: ${failed[0]!.error ?? ''}.`, { hint: 'The same command with --resume makes them again; --fail-on all tolerates them.' }))
  const doubtful = records.filter((r) => r.status === 'ok' && r.verdict !== 'valid')
  if (model.runtime.strict && doubtful.length > 0) return because(new AiperfError('E_STRICT', `${doubtful.length} of ${records.length} runs are not valid, the first at ${doubtful[0]!.label}: ${doubtful[0]!.verdict}.`))
  return { exitCode: EXIT.ok }
}
