import type { PointResult, RecipeBase, Search, SearchRecipe, Sweep } from '@aiperf/core'
import type { SearchRecipeCase } from '../cases.js'
import { broken, ensure, group, shown, type Group } from '../checks.js'
import { frozen } from '../pure.js'
import { sampleModel } from '../sample/model.js'
import { sampleTrial } from '../sample/trials.js'
import { randomOf, type Subject } from '../subject.js'

export function searchRecipeSuite(subject: Subject<'search_recipe'>, given: SearchRecipeCase): Group[] {
  const options = subject.options(given.options)
  const make = async () => (await subject.create({ options, random: randomOf(1) })) as SearchRecipe<object>
  const base = (): RecipeBase => {
    const model = sampleModel()
    return frozen({ model: given.model?.(model) ?? model, lists: given.lists ?? {}, tiers: [] })
  }
  const expand = async (): Promise<Sweep | Search> => {
    const recipe = await make()
    try {
      return recipe.expand(frozen({ ...options }), base())
    } catch (error) {
      return broken(`expand threw "${(error as Error).message}" for the case's options ${shown(options)}`)
    }
  }
  return [
    group('what it asks for', {
      'is a sweep or a search that can be run': async () => {
        const plan = await expand()
        const fault = plan.kind === 'sweep' ? sweepFault(plan) : plan.kind === 'search' ? searchFault(plan) : `is of the kind ${shown((plan as { kind?: unknown })?.kind)}`
        ensure(!fault, `expand gave what ${fault}`)
      },
      'is plain data, the same each time': async () => {
        const [one, two] = [await expand(), await expand()]
        ensure(JSON.stringify(one) === JSON.stringify(two), 'expand gives something else each time')
        try {
          structuredClone(one)
        } catch (error) {
          broken(`what expand gives is no plain data: ${(error as Error).message}`)
        }
      },
      'lists that it takes over are declared': async () => {
        const declared = Array.isArray(subject.meta['lists']) ? (subject.meta['lists'] as string[]) : []
        for (const path of Object.keys(given.lists ?? {})) ensure(declared.includes(path), `the case gives a list at ${path}, which the manifest does not name under "lists"`)
      },
    }),
    group('what it reports', {
      'is JSON, whatever became of the runs': async () => {
        const recipe = await make()
        if (!recipe.report) return
        const plan = await expand()
        const points = plan.kind === 'sweep' ? plan.cells.map((cell) => cell.point) : [plan.fixed, plan.fixed]
        const all: PointResult[] = points.map((point, i) => ({ point, trials: [sampleTrial(point, i)] }))
        for (const results of [all, [], all.map(({ point }) => ({ point, trials: [{ ...sampleTrial(point, 0), metrics: new Map(), verdict: 'invalid' as const, failed: 'no request succeeded' }] }))])
          for (const [name, content] of Object.entries(recipe.report(frozen(results), frozen({ ...options })))) {
            ensure(/^[\w.-]+\.json$/.test(name), `a report is named ${shown(name)}, expected a name of a JSON file`)
            ensure(!/NaN|Infinity/.test(JSON.stringify(content, (_, v: unknown) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v))), `${name} holds a number that is none`)
          }
      },
    }),
  ]
}

function sweepFault(sweep: Sweep): string | undefined {
  if (!Array.isArray(sweep.cells) || sweep.cells.length === 0) return 'has no points'
  const seen = new Set<string>()
  for (const cell of sweep.cells) {
    const key = JSON.stringify(cell.point)
    if (seen.has(key)) return `has the point ${key} twice`
    seen.add(key)
    for (const path of Object.keys(cell.point)) if (!/^[\w^*.-]+$/.test(path)) return `sets ${shown(path)}, which is no path`
  }
  return limitsFault(sweep)
}

function searchFault(search: Search): string | undefined {
  if (typeof search.planner !== 'string' || search.planner === '') return 'names no planner'
  if (!Array.isArray(search.dimensions) || search.dimensions.length === 0) return 'has no dimensions'
  for (const { path, low, high } of search.dimensions) if (!(Number.isFinite(low) && Number.isFinite(high) && low < high)) return `searches ${path} from ${low} to ${high}`
  if (!Array.isArray(search.objectives) || search.objectives.length === 0) return 'has no objectives'
  if (!(Number.isInteger(search.maxIterations) && search.maxIterations > 0)) return `runs at most ${search.maxIterations} times`
  if (typeof search.fixed !== 'object' || search.fixed === null) return 'has no `fixed`'
  return limitsFault(search)
}

function limitsFault({ constraints = [] }: Pick<Sweep, 'constraints'>): string | undefined {
  for (const { tag, stat, op, threshold } of constraints)
    if (typeof tag !== 'string' || typeof stat !== 'string' || !['<', '<=', '>', '>=', '=='].includes(op) || !Number.isFinite(threshold)) return `has the constraint ${shown({ tag, stat, op, threshold })}`
  return undefined
}
