import type { Json, JsonObject } from '../contracts/dataset.js'
import type { Orchestration, Points, Scenario } from '../contracts/orchestration.js'
import type { Constraint, RecipeMeta } from '../contracts/search.js'
import type { Problem } from '../errors.js'
import { lookUp } from '../host/find.js'
import type { IndexedContribution, PluginIndex } from '../host/plugin-index.js'
import { isJsonObject } from '../json.js'
import type { Kind } from '../kinds.js'
import type { Chosen } from './chosen.js'
import { coreSchemas } from './core-schemas.js'
import { problemOf, type Given } from './given.js'
import { withDefaults } from './json-schema.js'
import { LimitReader } from './limits.js'
import { fullPath, pathOf } from './overlay.js'
import { conflict } from './run-view.js'
import { plainSearch } from './search-options.js'
import { optionsFor } from './selection.js'
import { mountOf, setAt, type OptionTable } from './table.js'
import type { PhaseDraft } from './timing-selection.js'
import { readVariants } from './variants.js'

/** What is known of a run when the question is how often it is run. */
export interface OrchestrationView {
  index: PluginIndex
  table: OptionTable
  chosen: Chosen
  given: readonly Given[]
  drafts: readonly PhaseDraft[]
}

/** Seed of several runs whose seed nobody gave, so that they can be repeated. */
const CONSISTENT_SEED = 42
const SWEEP = '^sweep.'
const RUNS = '^multiRun.'

/** What was said of several runs; undefined when one run is all that was asked for. */
export function orchestrationOf(view: OrchestrationView): { orchestration: Orchestration | undefined; problems: Problem[] } {
  return new Reader(view).read()
}

class Reader {
  readonly problems: Problem[] = []
  readonly #limits: LimitReader
  readonly #sweep: JsonObject
  readonly #runs: JsonObject
  readonly #lists: Record<string, readonly Json[]> = {}

  constructor(private readonly view: OrchestrationView) {
    this.#limits = new LimitReader(view.index)
    const { properties } = coreSchemas().envelope
    this.#sweep = withDefaults(properties!['sweep']!, this.#own(SWEEP)) as JsonObject
    this.#runs = withDefaults(properties!['multiRun']!, this.#own(RUNS)) as JsonObject
    for (const item of view.given) if (item.sweep) this.#lists[this.#path(item)] = item.sweep
  }

  /** Core's own options of a section; those of plugins are read by their own schemas. */
  #own(prefix: string): JsonObject {
    const section: JsonObject = {}
    for (const { entry, value } of this.view.chosen.values()) if (entry.path.startsWith(prefix) && entry.owners.length === 0) setAt(section, entry.path.slice(prefix.length), value)
    return section
  }

  #path(given: Pick<Given, 'entry' | 'warmup'>): string {
    const named = (kind: PhaseDraft['kind']) => this.view.drafts.find((d) => d.kind === kind)?.name ?? kind
    const dataset = this.view.chosen.at('dataset.name')?.value
    return pathOf(given, { profiling: named('profiling'), warmup: named('warmup'), dataset: typeof dataset === 'string' ? dataset : 'main' }, this.view.table)
  }

  read(): ReturnType<typeof orchestrationOf> {
    const points = this.#points()
    const runs = this.#runs['numRuns'] as number
    const several = points.kind !== 'one' || runs > 1
    this.#misplaced(points, several, runs)
    const repeats = this.#repeats(runs, points)
    const rest = this.#rest(several)
    this.problems.push(...this.#limits.problems)
    return { orchestration: several && this.problems.length === 0 ? { points, repeats, ...rest } : undefined, problems: this.problems }
  }

  // Points

  #points(): Points {
    const { table, chosen } = this.view
    const ways = new Map<string, () => Points>()
    const type = chosen.at('^sweep.type')
    const listed = this.view.given.filter((g) => g.sweep).map((g) => g.name)
    const by = (key: string) => chosen.at(`^sweep.${key}`)?.name
    const recipe = by('recipe')
    const ready = type && (type.value === 'sobol' || type.value === 'latin_hypercube') ? type.name : undefined
    const searched = ['searchSpace', 'metric', 'direction', 'objectives'].flatMap((key) => by(key) ?? [])
    const taken = recipe === undefined ? [] : ((this.#find('search_recipe', this.#sweep['recipe'])?.meta as unknown as RecipeMeta | undefined)?.lists ?? [])
    const loose = this.view.given.filter((g) => g.sweep && !taken.includes(this.#path(g))).map((g) => g.name)
    if (recipe === undefined ? listed.length > 0 : loose.length > 0) ways.set((recipe === undefined ? listed : loose).join(' and '), () => this.#listed(this.#lists))
    if (by('parameters')) ways.set(by('parameters')!, () => this.#listed(this.#written(this.#sweep['parameters'] as Record<string, Json[]>)))
    if (by('runs')) ways.set(by('runs')!, () => this.#scenarios(this.#sweep['runs'] as JsonObject[], by('runs')!))
    if (by('variants'))
      ways.set(by('variants')!, () => {
        const { scenarios, problems } = readVariants(this.#sweep['variants'] as string[], by('variants')!, table, (given) => this.#path(given))
        this.problems.push(...problems)
        return { kind: 'scenarios', scenarios: this.#distinct(scenarios, by('variants')!) }
      })
    if (recipe !== undefined) ways.set(recipe, () => this.#recipe(this.#sweep['recipe'] as string, taken))
    if (ready !== undefined) ways.set(ready, () => this.#recipe(type!.value as string, []))
    if (searched.length > 0) ways.set(searched.join(' and '), () => this.#search())
    const [first, ...others] = ways
    if (!first) return { kind: 'one' }
    if (others.length > 0) {
      const names = [...ways.keys()]
      this.problems.push(conflict(names, `${names.join(' and ')} cannot be combined: each says by itself where the benchmark is run.`, 'Keep one of them.'))
      return { kind: 'one' }
    }
    return first[1]()
  }

  #listed(parameters: Readonly<Record<string, readonly Json[]>>): Points {
    const kind = this.#sweep['type'] === 'zip' ? 'zip' : 'grid'
    for (const [path, values] of Object.entries(parameters)) {
      const repeated = values.find((value, i) => values.findIndex((other) => JSON.stringify(other) === JSON.stringify(value)) !== i)
      const name = this.view.given.find((g) => g.sweep && this.#path(g) === path)?.name ?? path
      if (repeated !== undefined && kind === 'grid') this.problems.push(problemOf(name, `holds ${JSON.stringify(repeated)} twice, which would be the same point`, 'To run a point several times, use --num-profile-runs.'))
      if (path.startsWith('benchmark.') || /^(sweep|multi_?run|random_?seed)(\.|$)/i.test(path) || path.split('.').includes('')) this.problems.push(problemOf(path, 'is no path that can be swept', 'Paths begin below benchmark, or with variables.'))
    }
    const lengths = new Set(Object.values(parameters).map((values) => values.length))
    if (kind === 'zip' && lengths.size > 1 && this.#sweep['parameters'] !== undefined)
      this.problems.push(problemOf(this.view.chosen.at('^sweep.parameters')!.name, `pairs lists of one length, got ${Object.entries(parameters).map(([path, values]) => `${values.length} values of ${path}`).join(' and ')}`))
    return { kind, parameters }
  }

  #written(parameters: Readonly<Record<string, readonly Json[]>>): Record<string, readonly Json[]> {
    return Object.fromEntries(Object.entries(parameters).map(([path, values]) => [fullPath(path), values]))
  }

  #scenarios(runs: readonly JsonObject[], name: string): Points {
    const scenarios = runs.map(({ name: label, values, variables, benchmark }, i): Scenario => {
      const known = Object.fromEntries(Object.entries(isJsonObject(values) ? values : {}).map(([path, value]) => [fullPath(path), value]))
      return {
        name: typeof label === 'string' ? label : `scenario_${i}`,
        overlay: { values: known, ...(isJsonObject(variables) ? { variables } : {}), ...(isJsonObject(benchmark) ? { benchmark } : {}) },
        values: { ...known, ...Object.fromEntries(Object.entries(isJsonObject(variables) ? variables : {}).map(([key, value]) => [`variables.${key}`, value])) },
      }
    })
    return { kind: 'scenarios', scenarios: this.#distinct(scenarios, name) }
  }

  /** Names of points become names of folders. */
  #distinct(scenarios: readonly Scenario[], by: string): readonly Scenario[] {
    const seen = new Set<string>()
    for (const { name } of scenarios) {
      if (seen.has(name.toLowerCase())) this.problems.push(problemOf(by, `has two points named ${JSON.stringify(name)}`))
      if (/[/\\]|\.\./.test(name)) this.problems.push(problemOf(by, `has a point named ${JSON.stringify(name)}; a name holds no slash and no ".."`))
      seen.add(name.toLowerCase())
    }
    return scenarios
  }

  #recipe(recipe: string, lists: readonly string[]): Points {
    const found = this.#find('search_recipe', recipe)
    const options = found ? this.#optionsOf(found) : {}
    const planner = this.#sweep['planner'] as string | undefined
    const { maxIterations } = this.#sweep as { maxIterations?: number }
    return {
      kind: 'recipe', recipe, options,
      lists: Object.fromEntries(Object.entries(this.#lists).filter(([path]) => lists.includes(path))),
      search: { ...(planner === undefined ? {} : { planner }), ...(maxIterations === undefined ? {} : { maxIterations }), plannerOptions: this.#plannerOptions() },
    }
  }

  #search(): Points {
    const planner = (this.#sweep['planner'] as string | undefined) ?? 'bayesian'
    const found = this.#find('search_planner', planner)
    const search = plainSearch(this.#sweep, (key) => this.view.chosen.at(`${SWEEP}${key}`)?.name, this.#limits, this.problems)
    if (!search) return { kind: 'one' }
    return { kind: 'search', search: { ...search, planner, plannerOptions: found ? this.#optionsOf(found) : {} } }
  }

  /** What was given for options of planners, whichever the recipe will choose. */
  #plannerOptions(): JsonObject {
    const options: JsonObject = {}
    for (const { entry, value } of this.view.chosen.values()) if (entry.owners.some((o) => o.contribution.kind === 'search_planner')) setAt(options, entry.path.slice(SWEEP.length), value)
    return options
  }

  #find(kind: Kind, name: Json | undefined): IndexedContribution | undefined {
    if (typeof name !== 'string') return undefined
    const found = lookUp(this.view.index, kind, name)
    if ('contribution' in found) return found.contribution
    if (!this.problems.some((p) => p.message === found.problem.message)) this.problems.push(found.problem)
    return undefined
  }

  #optionsOf(contribution: IndexedContribution): JsonObject {
    const { options, problems } = optionsFor(this.view.table, this.view.chosen, contribution)
    this.problems.push(...problems)
    return options
  }

  // Repeats, and the rest

  #repeats(runs: number, points: Points): Orchestration['repeats'] {
    const converge = this.#runs['convergence'] as JsonObject
    const metric = this.view.chosen.at('^multiRun.convergence.metric')
    const repeats: Orchestration['repeats'] = {
      runs,
      cooldownSeconds: this.#runs['cooldownSeconds'] as number,
      confidenceLevel: this.#runs['confidenceLevel'] as number,
      warmupOnce: this.#runs['disableWarmupAfterFirst'] as boolean,
      varySeed: this.#runs['varySeedPerTrial'] as boolean,
    }
    if (!metric) return repeats
    const criterion = this.#find('convergence_criterion', converge['mode'])
    const minRuns = Math.min(converge['minRuns'] as number, Math.max(2, runs))
    this.#limits.metric(String(metric.value), metric.name)
    if (runs < 2) this.problems.push(conflict([metric.name, '--num-profile-runs'], `${metric.name} needs several runs to compare; --num-profile-runs is ${runs}.`, 'Give --num-profile-runs 5: the most that are made.'))
    if (points.kind === 'search') this.problems.push(conflict([metric.name], `${metric.name} cannot be combined with a search, which repeats a point by itself where it must.`, `Drop ${metric.name}.`))
    return { ...repeats, convergence: { tag: String(metric.value), stat: String(converge['stat']), criterion: criterion?.name ?? '', options: criterion ? this.#optionsOf(criterion) : {}, minRuns } }
  }

  #rest(several: boolean): Omit<Orchestration, 'points' | 'repeats'> {
    const { chosen } = this.view
    const sweep = this.#sweep
    const seed = chosen.at('^randomSeed')?.value as number | undefined
    const filters = chosen.at('^sweep.slaFilters')
    const tiers = chosen.at('^sweep.slaTiers')
    const pareto = chosen.at('^sweep.pareto')
    const searchSeed = sweep['randomSeed'] as number | undefined
    const constraints = (sweep['slaFilters'] as Json[]).flatMap((item): Constraint | Constraint[] => this.#limits.limit(item, filters!.name) ?? [])
    const read = (sweep['slaTiers'] as Json[]).flatMap((item, i) => this.#limits.tier(item, i + 1, tiers!.name) ?? [])
    if (tiers && (sweep['slaTiers'] as Json[]).length < 2) this.problems.push(problemOf(tiers.name, 'is given once; one level is what --search-sla is for', 'Give 2 to 10 levels.'))
    const axes = pareto ? this.#limits.axes(String(pareto.value), pareto.name) : undefined
    const failOn = sweep['failOn'] as string
    return {
      order: sweep['iterationOrder'] as Orchestration['order'],
      shuffled: sweep['order'] === 'random',
      cooldownSeconds: sweep['cooldownSeconds'] as number,
      baseSeed: seed ?? (several && this.#runs['setConsistentSeed'] === true ? CONSISTENT_SEED : undefined),
      ...(searchSeed === undefined ? {} : { searchSeed }),
      sameSeed: sweep['sameSeed'] as boolean,
      constraints,
      ...(read.length > 0 ? { tiers: read } : {}),
      ...(axes ? { pareto: axes } : {}),
      failOn: failOn === 'any' || failOn === 'all' ? failOn : Number(failOn),
      pooling: sweep['percentilePooling'] as Orchestration['pooling'],
      table: chosen.at('^noSweepTable')?.value !== true,
      resume: chosen.at('^resume')?.value === true,
    }
  }

  /** Options that mean nothing without what they belong to. */
  #misplaced(points: Points, several: boolean, runs: number): void {
    const { chosen } = this.view
    const hasNoEffect = (path: string, why: string, hint?: string) => {
      const given = chosen.at(path)
      if (given) this.problems.push(problemOf(given.name, `has no effect: ${why}`, hint))
    }
    if (this.problems.length > 0) return
    if (points.kind === 'one') {
      hasNoEffect('^sweep.type', 'no option is given several values')
      for (const key of ['iterationOrder', 'order', 'sameSeed', 'cooldownSeconds', 'pareto', 'slaFilters', 'slaTiers', 'planner', 'maxIterations']) hasNoEffect(`${SWEEP}${key}`, 'the benchmark is run at one point', 'Give an option several values, or --search-recipe.')
    }
    if (runs === 1 && points.kind !== 'recipe') for (const key of ['cooldownSeconds', 'disableWarmupAfterFirst', 'varySeedPerTrial']) hasNoEffect(`${RUNS}${key}`, 'every point is run once', 'Give --num-profile-runs 2 or more.')
    if (!several) hasNoEffect('^resume', 'a single run has nothing to go on with')
    const recipe = points.kind === 'recipe' ? this.#find('search_recipe', points.recipe) : undefined
    for (const given of chosen.values()) {
      const owners = given.entry.owners.map((o) => o.contribution).filter((c) => mountOf(c)?.startsWith('^'))
      if (owners.length === 0) continue
      const kinds = new Set(owners.map((o) => o.kind))
      const used = (kinds.has('search_recipe') && recipe !== undefined && owners.includes(recipe)) || (kinds.has('search_planner') && (points.kind === 'recipe' || points.kind === 'search')) || (kinds.has('convergence_criterion') && chosen.at('^multiRun.convergence.metric') !== undefined)
      if (used) continue
      const names = [...new Set(owners.map((o) => o.name))].sort()
      const how = kinds.has('search_recipe') ? '--search-recipe' : kinds.has('search_planner') ? '--search-planner' : '--convergence-metric'
      this.problems.push({ flags: [given.name, how], message: `${given.name} is an option of ${names.join(', ')}, which ${recipe ? `${recipe.name} is not` : 'is not asked for'}.`, hint: `Drop ${given.name}, or give ${how}.` })
    }
  }
}
