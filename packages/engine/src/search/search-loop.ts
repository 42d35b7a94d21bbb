import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AiperfError, createRandom, type JsonObject, type MetricResult, type Point, type Search, type SearchPlanner, type Trial } from '@aiperf/core'
import { createHost } from '@aiperf/core/host'
import { summarise } from '../evaluate/statistics.js'
import { bestPoint } from './console.js'
import { historyJson, type Iteration } from './history.js'
import { writeWhole, type RunRecord } from './ledger.js'
import { folderNames, labelOf } from './points/names.js'
import { searchOverlay, type ReadyCell } from './plan.js'
import { SampleReader } from './samples.js'
import { searchSeed } from './seeds.js'
import { trialOf, type Session } from './session.js'

const HISTORY = 'search_history.json'
const CHECKPOINT = 'search_checkpoint.json'

export interface SearchOutcome {
  iterations: readonly Iteration[]
  /** Why it ended; undefined: interrupted. */
  reason: string
  history: JsonObject
  files: string[]
}

interface Checkpoint {
  planner: JsonObject
  iterations: { point: Point; feasible?: boolean; nonMonotonic: boolean }[]
}

/** Asks the planner for points and tells it what came of them, until it is done, or the iterations are. */
export async function runSearch(session: Session): Promise<SearchOutcome> {
  const { plan, ledger } = session
  const search = plan.search!
  const planner = await plannerOf(session, search)
  const iterations: Iteration[] = await resumed(session, search, planner)
  let reason: string | undefined
  const write = (): JsonObject => {
    const history = historyJson(search, plan.recipe?.name, iterations, planner.summary(), reason)
    writeWhole(join(ledger.directory, HISTORY), history)
    session.best = bestPoint(search, history)?.text
    writeWhole(join(ledger.directory, CHECKPOINT), {
      planner: planner.snapshot(),
      iterations: iterations.map(({ point, feasible, nonMonotonic }) => ({ point, ...(feasible === undefined ? {} : { feasible }), nonMonotonic })),
    } satisfies Checkpoint)
    return history
  }
  while (reason === undefined) {
    const ask = planner.ask()
    if (ask.kind === 'done') reason = ask.reason
    else if (iterations.length >= search.maxIterations) reason = 'max_iterations'
    else {
      const iteration = await runPoint(session, search, ask.point, iterations.length, ask.warmupSeconds)
      if (!iteration) reason = 'cancelled'
      else {
        const told = planner.tell(ask.point, iteration.trials)
        iterations.push({ ...iteration, ...told })
        if (told.nonMonotonic) session.runner.ui.log('warn', `${labelOf({ values: ask.point, overlay: {} }, iteration.index)} contradicts the points before: more load, better result`)
        write()
      }
    }
  }
  return { iterations, reason, history: write(), files: [HISTORY, CHECKPOINT] }
}

async function plannerOf(session: Session, search: Search): Promise<SearchPlanner> {
  const { plan, runner } = session
  const seed = plan.orchestration.searchSeed ?? plan.orchestration.baseSeed ?? 0
  return createHost(runner.index).activate('search_planner', search.planner, { options: search.plannerOptions, search, random: (name) => createRandom(seed, `${search.planner}: ${name}`) })
}

/**
 * Goes on where the checkpoint of an interrupted search ends. When a run failed, what was asked after it may rest on the
 * failure: then the planner is asked from the beginning, and only what the ledger does not have is run.
 */
async function resumed(session: Session, search: Search, planner: SearchPlanner): Promise<Iteration[]> {
  const { ledger, plan } = session
  const path = join(ledger.directory, CHECKPOINT)
  const records = ledger.runs()
  if (!plan.orchestration.resume || !existsSync(path) || records.some((r) => r.status === 'failed')) return []
  const checkpoint = JSON.parse(readFileSync(path, 'utf8')) as Checkpoint
  const iterations: Iteration[] = []
  for (const [index, { point, feasible, nonMonotonic }] of checkpoint.iterations.entries()) {
    const made = records.filter((r) => r.cell === index)
    if (made.length === 0) throw new AiperfError('E_JOURNAL', `${path} knows of iteration ${index}, of which no run is kept.`, { hint: 'Begin anew without --resume.' })
    iterations.push({ index, point, trials: await trialsOf(session, search, made, point), feasible, nonMonotonic })
  }
  planner.restore(checkpoint.planner)
  return iterations
}

/** The runs of one point. Undefined: interrupted. */
async function runPoint(session: Session, search: Search, point: Point, index: number, warmupSeconds: number | undefined): Promise<Omit<Iteration, 'feasible' | 'nonMonotonic'> | undefined> {
  const { plan } = session
  const { repeats } = plan.orchestration
  const planned = { values: point, overlay: searchOverlay(search, point) }
  const cell = await plan.at(planned, index, folderNames([planned])[0]!)
  const warmed = warmupSeconds === undefined ? cell : withWarmup(cell, warmupSeconds)
  const records: RunRecord[] = []
  const turnOf = (trial: number) => ({ cell: warmed, trial, seed: searchSeed(plan.orchestration, { index, label: cell.label, trial }) })
  for (let trial = 0; trial < repeats.runs; trial++) {
    const next = trial + 1 < repeats.runs ? turnOf(trial + 1) : undefined
    const record = await session.run(turnOf(trial), { done: index, total: search.maxIterations }, next)
    if (!record || record.status === 'cancelled') return undefined
    records.push(record)
  }
  return { index, point, trials: await trialsOf(session, search, records, point) }
}

/** The runs of a point as planners see them. */
function trialsOf(session: Session, search: Search, records: readonly RunRecord[], point: Point): Promise<readonly Trial[]> {
  const trials = records.map((record) => trialOf(record, { values: point }))
  return session.plan.orchestration.pooling === 'pooled' ? pooled(session, search, records, trials) : Promise.resolve(trials)
}

/** A warm-up at the load that is to be measured. */
function withWarmup(cell: ReadyCell, seconds: number): ReadyCell {
  const profiling = cell.model.phases.find((phase) => phase.kind === 'profiling')!
  const { requests: _requests, sessions: _sessions, failedRequestThreshold: _threshold, cancellation: _cancellation, ...load } = profiling
  const warmup = { ...load, name: 'warmup', kind: 'warmup' as const, durationSeconds: seconds, graceSeconds: null }
  return { ...cell, model: { ...cell.model, phases: [warmup, ...cell.model.phases.filter((phase) => phase.kind !== 'warmup')] } }
}

/** Percentiles over the requests of all runs at the point, in place of each run's own. */
async function pooled({ runner, ledger }: Session, search: Search, records: readonly RunRecord[], trials: readonly Trial[]): Promise<Trial[]> {
  const watched = [...search.objectives, ...search.constraints, ...(search.tiers ?? []).flatMap((t) => t.constraints)].filter(({ stat }) => /^p\d+$/.test(stat))
  if (watched.length === 0 || records.length < 2) return [...trials]
  const reader = new SampleReader(runner.index)
  const tags = [...new Set(watched.map(({ tag }) => tag))]
  const values = new Map<string, number[]>(tags.map((tag) => [tag, []]))
  for (const record of records.filter((r) => r.status === 'ok')) for (const [tag, sample] of await reader.read(join(ledger.directory, record.directory), tags)) for (const value of sample.values) values.get(tag)!.push(value)
  return trials.map((trial) => {
    if (trial.failed !== undefined) return trial
    const metrics = new Map<string, MetricResult>(trial.metrics)
    for (const { tag, stat } of watched) {
      const all = values.get(tag)!
      const metric = metrics.get(tag)
      if (!metric || all.length === 0) continue
      const { statistics } = summarise(Float64Array.from(all), all.length)
      metrics.set(tag, { ...metric, [stat]: statistics[stat as 'p50'] })
    }
    return { ...trial, metrics }
  })
}
