import { AiperfError, ConfigurationError, createRandom, type Constraint, type JsonObject, type Objective, type Orchestration, type Overlay, type PlannerMeta, type Point, type PointResult, type Problem, type RunModel, type Search, type Sweep } from '@aiperf/core'
import { createHost, type Host, type PluginIndex } from '@aiperf/core/host'
import { checkSelected, fillOptions } from '@aiperf/core/options'
import { gridCells, scenarioCells, zipCells, type PlannedCell } from './points/cells.js'
import { folderNames, labelOf } from './points/names.js'

/** A run as the options describe it, at one point. */
export interface Resolution {
  /** Undefined when there are problems. */
  model: RunModel | undefined
  explicit: JsonObject
  problems: readonly Problem[]
  notices: readonly string[]
}

export interface PlanInput {
  index: PluginIndex
  orchestration: Orchestration
  /** The run without what its points change. */
  base: { model: RunModel; explicit: JsonObject }
  /** The run with what a point changes. */
  resolveAt(overlay: Overlay): Promise<Resolution>
}

/** A point that is ready to be run. */
export interface ReadyCell extends PlannedCell {
  index: number
  label: string
  folder: string
  model: RunModel
  explicit: JsonObject
}

/** What will be run. */
export interface Plan {
  kind: 'repeats' | 'sweep' | 'search'
  orchestration: Orchestration
  base: PlanInput['base']
  /** Every point of a sweep; the one of repeated runs; none of a search. */
  cells: readonly ReadyCell[]
  search?: Search
  constraints: readonly Constraint[]
  pareto?: readonly Objective[]
  /** Written before the first run. */
  files: Readonly<Record<string, JsonObject>>
  notices: readonly string[]
  recipe?: { name: string; report?(points: readonly PointResult[]): Record<string, JsonObject>; findings?(points: readonly PointResult[]): readonly string[] }
  /** The run at a point that is not known yet. Throws a `ConfigurationError`. */
  at(cell: PlannedCell, index: number, folder: string): Promise<ReadyCell>
}

/** The most points that are worked out before the first run; of more, the rest are worked out as they come. */
const MOST_POINTS = 10_000

/** Works out every point of a plan, so that what is wrong with any of them is known before the first request. */
export async function makePlan(input: PlanInput): Promise<Plan> {
  const { orchestration, base, index } = input
  const host = createHost(index)
  const at = readyCell(input, host)
  const common = { orchestration, base, files: {}, constraints: orchestration.constraints, ...(orchestration.pareto ? { pareto: orchestration.pareto } : {}), notices: [], at }
  const { points } = orchestration
  switch (points.kind) {
    case 'one':
      return { ...common, kind: 'repeats', cells: await ready([{ values: {}, overlay: {} }], at) }
    case 'grid':
      return sweepPlan(common, gridCells(points.parameters))
    case 'zip':
      return sweepPlan(common, zipCells(points.parameters))
    case 'scenarios':
      return sweepPlan(common, scenarioCells(points.scenarios))
    case 'search':
      return searchPlan(common, { ...points.search, kind: 'search', fixed: {} }, host)
    case 'recipe': {
      const random = (name: string) => createRandom(orchestration.baseSeed ?? 0, name)
      const thing = await host.activate('search_recipe', points.recipe, { options: points.options, random })
      const expanded = thing.expand(points.options, { model: base.model, lists: points.lists, tiers: orchestration.tiers ?? [] })
      const recipe = {
        name: points.recipe,
        ...(thing.report ? { report: (results: readonly PointResult[]) => thing.report!(results, points.options) } : {}),
        ...(thing.findings ? { findings: (results: readonly PointResult[]) => thing.findings!(results, points.options) } : {}),
      }
      if (expanded.kind === 'sweep') return sweepOf(common, expanded, recipe)
      const { planner = expanded.planner, maxIterations = expanded.maxIterations, plannerOptions } = points.search
      const found = host.find('search_planner', planner)
      const filled = fillOptions(index, found, { ...(planner === expanded.planner ? expanded.plannerOptions : {}), ...plannerOptions })
      if (filled.problems.length > 0) throw new ConfigurationError(filled.problems)
      return searchPlan({ ...common, recipe }, { ...expanded, planner: found.name, plannerOptions: filled.options, maxIterations }, host)
    }
  }
}

type Common = Omit<Plan, 'kind' | 'cells'>
type At = Plan['at']

function sweepOf(common: Common, sweep: Sweep, recipe: NonNullable<Plan['recipe']>): Promise<Plan> {
  const fixed = sweep.fixed ?? {}
  const cells = sweep.cells.map(({ name, point }): PlannedCell => ({ ...(name === undefined ? {} : { name }), values: point, overlay: { values: { ...fixed, ...point } } }))
  const pareto = common.pareto ?? sweep.pareto
  return sweepPlan({ ...common, recipe, notices: [...common.notices, ...(sweep.notices ?? [])], files: sweep.files ?? {}, constraints: [...common.constraints, ...(sweep.constraints ?? [])], ...(pareto ? { pareto } : {}) }, cells)
}

async function sweepPlan(common: Common, planned: readonly PlannedCell[]): Promise<Plan> {
  if (planned.length > MOST_POINTS) throw new AiperfError('E_CONFIG', `The sweep has ${planned.length} points; at most ${MOST_POINTS} are run.`, { hint: 'Give fewer values.' })
  const cells = await ready(planned, common.at)
  return { ...common, kind: 'sweep', cells, notices: [...common.notices, ...cells.flatMap(unreachable)] }
}

async function searchPlan(common: Common, search: Search, host: Host): Promise<Plan> {
  const { tiers } = common.orchestration
  const all = { ...search, constraints: [...search.constraints, ...common.constraints], ...(tiers ? { tiers } : {}) }
  const { name, meta } = host.find('search_planner', search.planner)
  if (tiers && (meta as unknown as PlannerMeta).tiers !== true)
    throw new ConfigurationError([{ flags: ['--search-sla-tier', '--search-planner'], message: `--search-sla-tier: the planner ${name} looks for one service level at a time.`, hint: 'Use --search-planner smooth_isotonic or monotonic_sla.' }])
  // A planner that refuses its search does so before the first run.
  await host.activate('search_planner', name, { options: search.plannerOptions, search: all, random: (stream) => createRandom(0, stream) })
  // The corners of the space: a path or a bound that cannot be used is told before the first run.
  await ready(cornersOf(search).map((values): PlannedCell => ({ values, overlay: searchOverlay(search, values) })), common.at)
  return { ...common, kind: 'search', cells: [], search: all, constraints: all.constraints }
}

/** Every low with every high, since one value may not go with another; in many dimensions the two ends. */
function cornersOf({ dimensions }: Search): Point[] {
  const ends = (['low', 'high'] as const).map((bound) => Object.fromEntries(dimensions.map((d) => [d.path, d[bound]])))
  if (dimensions.length > MOST_CROSSED) return ends
  return dimensions.reduce<Point[]>((corners, { path, low, high }) => corners.flatMap((corner) => [{ ...corner, [path]: low }, { ...corner, [path]: high }]), [{}])
}
const MOST_CROSSED = 5

/** Requests of a point of a search that says nothing of its end: enough for its percentiles, or as precise as is asked for. */
const LEAST_REQUESTS = 100
const PRECISE_REQUESTS: Readonly<Record<string, number>> = { tight: 10_000, normal: 1000, coarse: 300 }

export function searchOverlay({ fixed, plannerOptions }: Search, point: Point): Overlay {
  return { values: { ...fixed, ...point }, leastRequests: PRECISE_REQUESTS[String(plannerOptions['slaPrecision'])] ?? LEAST_REQUESTS }
}

/** Resolves points; the problems of all of them are thrown together. */
async function ready(planned: readonly PlannedCell[], at: At): Promise<ReadyCell[]> {
  const folders = folderNames(planned)
  const cells: ReadyCell[] = []
  const problems = new Map<string, Problem>()
  for (const [i, cell] of planned.entries())
    try {
      cells.push(await at(cell, i, folders[i]!))
    } catch (error) {
      if ((error as Error).name !== 'AiperfError' || !('problems' in (error as object))) throw error
      const where = cell.name !== undefined || Object.keys(cell.values).length > 0 ? ` (at ${labelOf(cell, i)})` : ''
      for (const problem of (error as ConfigurationError).problems) if (!problems.has(problem.message)) problems.set(problem.message, { ...problem, message: `${problem.message}${where}` })
    }
  if (problems.size > 0) throw new ConfigurationError([...problems.values()])
  return cells
}

function readyCell({ resolveAt }: PlanInput, host: Host): At {
  return async (cell, index, folder) => {
    const label = labelOf(cell, index)
    const { model, explicit, problems } = await resolveAt(cell.overlay)
    const all = [...problems, ...(model ? await checkSelected(host, model) : [])]
    if (!model || all.length > 0) throw new ConfigurationError(all)
    return { ...cell, index, label, folder, model, explicit }
  }
}

/** A load that the number of requests never reaches measures another point than it says. */
function unreachable({ label, model }: ReadyCell): string[] {
  return model.phases.flatMap(({ kind, options, requests, sessions }) => {
    const { concurrency } = options as { concurrency?: number }
    const most = sessions ?? requests
    return kind === 'profiling' && concurrency !== undefined && most !== undefined && most < concurrency
      ? [`${label}: the concurrency ${concurrency} is never reached with ${most} ${sessions === undefined ? 'requests' : 'sessions'}; give at least that many, better ten times as many`]
      : []
  })
}
