import type { Json, JsonObject } from '../contracts/dataset.js'
import type { Constraint, Dimension, Objective, Search } from '../contracts/search.js'
import type { Problem } from '../errors.js'
import { isJsonObject } from '../json.js'
import { problemOf } from './given.js'
import type { LimitReader } from './limits.js'
import { fullPath } from './overlay.js'
import { conflict } from './run-view.js'

const DEFAULT_ITERATIONS = 30

type Given = (key: string) => string | undefined

/** A search that is spelled out: its space, what to look for, how long. Undefined when something is missing or wrong. */
export function plainSearch(sweep: JsonObject, given: Given, limits: LimitReader, problems: Problem[]): Omit<Search, 'kind' | 'fixed' | 'planner' | 'plannerOptions'> | undefined {
  const several = sweep['objectives'] as JsonObject[] | undefined
  // A file may leave out what has a sensible default; on the command line the four belong together.
  const needed = { searchSpace: '--search-space', ...(several ? {} : { metric: '--search-metric', direction: '--search-direction' }), ...(given('maxIterations') !== undefined || sweep['type'] === 'adaptive_search' ? {} : { maxIterations: '--search-max-iterations' }) }
  const present = ['searchSpace', 'metric', 'direction', 'objectives', 'maxIterations'].flatMap((key) => given(key) ?? [])
  const missing = Object.entries(needed).filter(([key]) => given(key) === undefined).map(([, flag]) => flag)
  if (missing.length > 0) {
    problems.push(conflict([...missing, ...present], `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing: ${present.join(' and ')} ${present.length > 1 ? 'ask' : 'asks'} for a search.`, 'A search needs a space, a metric, a direction and a number of points.'))
    return undefined
  }
  const dimensions = (sweep['searchSpace'] as Json[]).map((item) => dimension(item, given('searchSpace')!, problems))
  const objectives = several
    ? several.map(({ metric, stat, direction, threshold }): Objective => ({ tag: String(metric), stat: String(stat ?? 'avg'), direction: direction as Objective['direction'], ...(typeof threshold === 'number' ? { threshold } : {}) }))
    : [{ tag: String(sweep['metric']), stat: String(sweep['stat'] ?? 'avg'), direction: sweep['direction'] as Objective['direction'] }]
  for (const { tag, stat } of objectives) limits.metric(tag, given('metric') ?? given('objectives')!) && limits.stat(stat, given('objectives') ?? given('metric')!)
  if (sweep['percentilePooling'] === 'pooled' && objectives.every(({ stat }) => !/^p\d+$/.test(stat))) problems.push(problemOf(given('percentilePooling')!, 'needs a percentile to pool, the statistic is avg', 'Give --search-stat p95, or drop it.'))
  const outcomes = ((sweep['outcomeConstraints'] as JsonObject[] | undefined) ?? []).map(({ metric, op, bound }): Constraint => ({ tag: String(metric), stat: 'avg', op: op as Constraint['op'], threshold: Number(bound) }))
  return dimensions.includes(undefined) ? undefined : { dimensions: dimensions as Dimension[], objectives, constraints: outcomes, maxIterations: (sweep['maxIterations'] as number | undefined) ?? DEFAULT_ITERATIONS }
}

/** `path:lo,hi[:int|real]`, or the same as a mapping. */
function dimension(item: Json, name: string, problems: Problem[]): Dimension | undefined {
  if (isJsonObject(item)) return checked({ path: fullPath(String(item['path'])), low: Number(item['lo']), high: Number(item['hi']), integer: item['kind'] === 'int', ...(item['prior'] === 'log-uniform' ? { log: true } : {}) }, name, problems)
  const found = /^([^:]+):\s*([^,:]+),\s*([^,:]+?)\s*(?::(int|real))?$/i.exec(String(item))
  const [low, high] = [Number(found?.[2]), Number(found?.[3])]
  if (!found || !Number.isFinite(low) || !Number.isFinite(high)) {
    problems.push(problemOf(name, `must be path:lo,hi or path:lo,hi:int, got ${JSON.stringify(item)}`, 'For example phases.profiling.concurrency:1,200:int.'))
    return undefined
  }
  return checked({ path: fullPath(found[1]!.trim()), low, high, integer: found[4]?.toLowerCase() === 'int' }, name, problems)
}

function checked(dimension: Dimension, name: string, problems: Problem[]): Dimension | undefined {
  const { path, low, high, log, integer } = dimension
  if (high <= low) problems.push(problemOf(name, `${path}: the upper bound must be above the lower one, got ${low} and ${high}`))
  else if (log && low <= 0) problems.push(problemOf(name, `${path}: a logarithmic dimension begins above 0, got ${low}`))
  else if (integer && Math.ceil(low) > Math.floor(high)) problems.push(problemOf(name, `${path}: there is no whole number between ${low} and ${high}`))
  else return dimension
  return undefined
}
