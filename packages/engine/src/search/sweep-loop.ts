import type { ConvergenceCriterion, CriterionMeta, JsonObject, RepeatedRun } from '@aiperf/core'
import { createRandom } from '@aiperf/core'
import { createHost } from '@aiperf/core/host'
import { join } from 'node:path'
import { statOf } from './aggregate/combine.js'
import type { RunRecord } from './ledger.js'
import { metricsOf } from './one-run.js'
import { turns } from './order.js'
import type { ReadyCell } from './plan.js'
import { SampleReader } from './samples.js'
import { sweepSeed } from './seeds.js'
import type { Session, Turn } from './session.js'

/** What convergence came to at a point. */
export interface Convergence {
  converged: boolean
  runs: number
  detail: JsonObject
}

/** Runs all points, each as often as asked or until its runs agree. Returns convergence by point. */
export async function runSweep(session: Session): Promise<ReadonlyMap<number, Convergence>> {
  const { plan } = session
  const { orchestration, cells } = plan
  const { repeats } = orchestration
  const watch = repeats.convergence ? await Watch.create(session) : undefined
  const order = turns(cells.length, repeats.runs, orchestration.order, orchestration.shuffled ? (orchestration.baseSeed ?? 0) : undefined).map(({ cell: at, trial }): Turn => {
    const cell = cells[at]!
    return { cell, trial, seed: sweepSeed(orchestration, { index: at, label: cell.label, trial }) }
  })
  let skipped = 0
  for (const [done, turn] of order.entries()) {
    if (session.interrupted) break
    if (watch?.isConverged(turn.cell)) {
      skipped++
      continue
    }
    const next = order.slice(done + 1).find(({ cell }) => !watch?.isConverged(cell))
    await session.run(turn, { done: done - skipped, total: order.length - skipped }, next)
    await watch?.look(turn.cell)
  }
  return watch?.states ?? new Map<number, Convergence>()
}

/** Watches whether the runs of each point agree. */
class Watch {
  readonly states = new Map<number, Convergence>()
  readonly #reader: SampleReader
  #warned = false

  private constructor(
    private readonly session: Session,
    private readonly criterion: ConvergenceCriterion,
    private readonly needsSamples: boolean,
  ) {
    this.#reader = new SampleReader(session.runner.index)
  }

  static async create(session: Session): Promise<Watch> {
    const { convergence, confidenceLevel } = session.plan.orchestration.repeats
    const host = createHost(session.runner.index)
    const { criterion, options } = convergence!
    const meta = host.find('convergence_criterion', criterion).meta as unknown as CriterionMeta
    const thing = await host.activate('convergence_criterion', criterion, { options: { ...options, confidenceLevel }, random: (name) => createRandom(0, name) })
    return new Watch(session, thing, meta.needsSamples === true)
  }

  isConverged(cell: ReadyCell): boolean {
    return this.states.get(cell.index)?.converged === true
  }

  async look(cell: ReadyCell): Promise<void> {
    const { plan, ledger, runner } = this.session
    const { tag, stat, minRuns } = plan.orchestration.repeats.convergence!
    const records = ledger.runs().filter((r) => r.cell === cell.index && r.status === 'ok')
    if (records.length < minRuns) return void this.states.set(cell.index, { converged: false, runs: records.length, detail: {} })
    const runs = await Promise.all(records.map((record) => this.#seen(record, tag, stat)))
    if (!this.#warned && runs.every((run) => run.value === undefined)) {
      this.#warned = true
      runner.ui.log('warn', `No run has ${tag} ${stat}: the runs cannot be seen to agree, so all are made.`)
    }
    const { converged, detail } = this.#judge(runs)
    this.states.set(cell.index, { converged, runs: records.length, detail })
    if (converged) runner.ui.log('info', `${cell.label}: ${records.length} runs agree on ${tag} ${stat}`)
  }

  /** A criterion that fails has not seen agreement. */
  #judge(runs: readonly RepeatedRun[]): ReturnType<ConvergenceCriterion['converged']> {
    try {
      return this.criterion.converged(runs)
    } catch (error) {
      return { converged: false, detail: { error: (error as Error).message } }
    }
  }

  async #seen(record: RunRecord, tag: string, stat: string): Promise<RepeatedRun> {
    const value = statOf(metricsOf(record).get(tag), stat)
    const samples = this.needsSamples ? await this.#reader.read(join(this.session.ledger.directory, record.directory), [tag]) : undefined
    return { value, sample: samples?.get(tag)?.values ?? [] }
  }
}
