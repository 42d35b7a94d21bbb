import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject, PointResult } from '@aiperf/core'
import { combine, statOf } from './aggregate/combine.js'
import { collatedJson } from './aggregate/collated.js'
import { repeatCsv, repeatJson, runLabel, type RepeatFacts } from './aggregate/repeat-files.js'
import { summariseSweep, sweepCsv, sweepJson, type SweepFacts, type SweepPoint, type SweepSummary } from './aggregate/sweep-files.js'
import { TREND_LEVEL, trendP, WATCHED } from './aggregate/trend.js'
import { writeWhole, type RunRecord } from './ledger.js'
import { metricsOf } from './one-run.js'
import type { ReadyCell } from './plan.js'
import { SampleReader } from './samples.js'
import { trialOf, type Session } from './session.js'
import type { Convergence } from './sweep-loop.js'

/** A point that was run, with its runs. */
export interface RunCell extends Pick<ReadyCell, 'folder' | 'name' | 'label' | 'values'> {
  records: readonly RunRecord[]
}

export interface Results {
  points: readonly SweepPoint[]
  summary: SweepSummary
  json: JsonObject
  /** Relative to the plan's folder; those of single points are left out. */
  files: string[]
  notices: string[]
  /** What the recipe makes of the points, in lines. */
  findings: readonly string[]
}

/** Writes what the runs of a plan come to: each point's aggregate, the sweep's, and the files of its recipe. */
export async function writeResults(session: Session, cells: readonly RunCell[], convergence: ReadonlyMap<number, Convergence>): Promise<Results> {
  const { plan, layout, ledger } = session
  const { repeats, order } = plan.orchestration
  const files: string[] = []
  const notices: string[] = []
  const write = (name: string, content: unknown, isListed = true): void => {
    const path = join(ledger.directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeWhole(path, content)
    if (isListed) files.push(name)
  }
  const ofCell = (name: string, content: unknown) => write(name, content, plan.kind === 'repeats')
  const points = cells.map((cell): SweepPoint => ({ folder: cell.folder, ...(cell.name === undefined ? {} : { name: cell.name }), values: cell.values, records: cell.records, metrics: combine(cell.records, repeats.confidenceLevel) }))

  for (const [i, cell] of cells.entries()) {
    if (!cell.records.some((r) => r.status === 'ok')) continue
    const trends = trendsOf(cell.records)
    for (const trend of trends) notices.push(`${plan.kind === 'repeats' ? '' : `${cell.label}: `}${trend} changes steadily from run to run: the runs are not repetitions of one another (a cache that fills, a server that heats up)`)
    const reached = convergence.get(cell.records[0]!.cell)
    if (reached && !reached.converged) notices.push(`${plan.kind === 'repeats' ? '' : `${cell.label}: `}${reached.runs} runs do not agree yet`)
    const facts: RepeatFacts = {
      records: cell.records, confidenceLevel: repeats.confidenceLevel, cooldownSeconds: repeats.cooldownSeconds,
      more: {
        ...(plan.kind === 'repeats' ? {} : { variation_label: cell.label, variation_values: { ...cell.values }, sweep_mode: order }),
        model: plan.base.model.models.join(','),
        ...(reached ? { convergence: { metric: repeats.convergence!.tag, stat: repeats.convergence!.stat, criterion: repeats.convergence!.criterion, ...reached } as unknown as JsonObject } : {}),
        ...(trends.length > 0 ? { trends } : {}),
      },
    }
    const folder = layout.cellAggregate(cell)
    ofCell(join(folder, 'profile_export_aiperf_aggregate.json'), repeatJson(points[i]!.metrics, facts))
    ofCell(join(folder, 'profile_export_aiperf_aggregate.csv'), repeatCsv(points[i]!.metrics, facts))
    if (repeats.convergence) ofCell(join(folder, 'profile_export_aiperf_collated.json'), await collated(session, cell))
  }

  const facts: SweepFacts = { order, confidenceLevel: repeats.confidenceLevel, trials: repeats.runs, constraints: plan.constraints, ...(plan.pareto ? { pareto: plan.pareto } : {}) }
  const summary = summariseSweep(points, facts)
  const json = sweepJson(summary, facts)
  if (plan.kind !== 'repeats') {
    write(join(layout.sweepAggregate, 'profile_export_aiperf_sweep.json'), json)
    write(join(layout.sweepAggregate, 'profile_export_aiperf_sweep.csv'), sweepCsv(summary))
  }
  const measured = cells.map(pointResult)
  for (const [name, content] of Object.entries(plan.recipe?.report?.(measured) ?? {})) write(join(layout.sweepAggregate, name), content)
  return { points, summary, json, files, notices, findings: plan.recipe?.findings?.(measured) ?? [] }
}

const pointResult = (cell: RunCell): PointResult => ({ ...(cell.name === undefined ? {} : { name: cell.name }), point: cell.values, trials: cell.records.map((record) => trialOf(record, cell)) })

/** Watched statistics that rise or fall from run to run. */
function trendsOf(records: readonly RunRecord[]): string[] {
  const ok = records.filter((r) => r.status === 'ok')
  return WATCHED.flatMap(([tag, stat]) => {
    const values = ok.flatMap((record) => statOf(metricsOf(record).get(tag), stat) ?? [])
    return values.length === ok.length && trendP(values) < TREND_LEVEL ? [`${tag} ${stat}`] : []
  })
}

async function collated({ ledger, runner, plan }: Session, cell: RunCell): Promise<JsonObject> {
  const reader = new SampleReader(runner.index)
  const ok = cell.records.filter((r) => r.status === 'ok')
  const runs = []
  for (const record of ok) runs.push({ label: runLabel(record.trial), samples: await reader.read(join(ledger.directory, record.directory)) })
  return collatedJson(runs, {
    aggregation_type: 'detailed',
    num_profile_runs: cell.records.length,
    num_successful_runs: ok.length,
    run_labels: ok.map((r) => runLabel(r.trial)),
    ...(plan.kind === 'repeats' ? {} : { variation_label: cell.label, variation_values: { ...cell.values } }),
  })
}
