import type { ArtifactDir, Json, JsonObject, Search } from '@aiperf/core'
import { brief, readable, unitText } from '@aiperf/core/numbers'
import type { Combined, CombinedMetrics } from './aggregate/combine.js'
import type { SweepPoint } from './aggregate/sweep-files.js'
import type { Plan } from './plan.js'
import { parameterNames } from './points/names.js'
import type { Results } from './results.js'
import type { SearchOutcome } from './search-loop.js'

type Facts = ArtifactDir['console']

/** Columns of the table of points: title, statistic, unit. */
const COLUMNS = [
  ['req/s', 'request_throughput_avg'],
  ['tokens/s', 'output_token_throughput_avg'],
  // Requests that met the objectives of the run, where it has any.
  ['good/s', 'goodput_avg'],
  ['TTFT p99 ms', 'time_to_first_token_p99'],
  ['ITL p99 ms', 'inter_token_latency_p99'],
  ['latency p95 ms', 'request_latency_p95'],
] as const

/** A latency that is limited stands there as it is limited. */
function columnsFor({ constraints }: Plan): (readonly [title: string, key: string])[] {
  return COLUMNS.map(([title, key]) => {
    const limited = / p\d/.test(title) ? constraints.find(({ tag }) => key.startsWith(`${tag}_p`)) : undefined
    return limited ? [title.replace(/p\d+/, limited.stat), `${limited.tag}_${limited.stat}`] : [title, key]
  })
}

/** A number, or a dash where there is none. */
export const figure = (value: number | undefined): string => (value === undefined || !Number.isFinite(value) ? '–' : readable(value))

/** Of what the interval is wide, two digits say all. */
const withSpread = (m: Combined | undefined): string => (m === undefined ? '–' : m.count > 1 ? `${figure(m.mean)} ± ${brief(Number((m.high - m.mean).toPrecision(2)))}` : figure(m.mean))
const plainValue = (value: Json | undefined): string => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value))

/** What a sweep came to: a line per point, a star on those of the Pareto front. */
export function sweepText(results: Results, plan: Plan, console: Facts): string {
  const { summary, points } = results
  const paths = [...new Set(points.flatMap((p) => Object.keys(p.values)))]
  const names = parameterNames(paths)
  const named = points.some((p) => p.name !== undefined)
  const columns = columnsFor(plan).filter(([, key]) => points.some((p) => p.metrics.has(key)))
  const tableOf = (kept: typeof columns): string =>
    lines(
      [...(named ? ['point'] : []), ...names.values(), ...kept.map(([title]) => title), 'runs', 'verdict', ...(summary.feasible ? ['SLA'] : []), 'Pareto'],
      points.map((p) => [
        ...(named ? [p.name ?? ''] : []),
        ...paths.map((path) => plainValue(p.values[path])),
        ...kept.map(([, key]) => withSpread(p.metrics.get(key))),
        runs(p),
        worstVerdict(p),
        ...(summary.feasible ? [summary.feasible.includes(p) ? 'met' : 'missed'] : []),
        summary.front.includes(p) ? '*' : '',
      ]),
    )
  const table = plan.orchestration.table ? narrowed(columns, tableOf, console.columns) : ''
  const best = plan.kind === 'search' ? '' : summary.best.map(({ name, point, value, unit }) => `  ${name === 'best_throughput' ? 'Best throughput' : 'Best tail latency'}: ${figure(value)} ${unitText(unit)} at ${describe(point, names)}\n`).join('')
  const none = summary.feasible?.length === 0 ? '  No point keeps the limits.\n' : ''
  const findings = results.findings.map((line) => `  ${line}\n`).join('')
  const axes = summary.axes.map((a) => `${a.tag} ${a.stat} (${a.direction})`).join(' against ')
  return `\n${heading(plan, console)}${table}\n${findings}${best}${none}${doubts(points, names)}${summary.front.length > 0 ? `  * Pareto: ${axes}\n` : ''}`
}

/** The table with as many columns as fit beside each other, and which others there are. */
function narrowed<Column extends readonly [title: string, key: string]>(columns: Column[], tableOf: (columns: Column[]) => string, width: number): string {
  for (let kept = columns.length; ; kept--) {
    const table = tableOf(columns.slice(0, kept))
    if (kept <= 1 || table.split('\n').every((line) => line.length <= width)) return `${table}${kept < columns.length ? `  No room for ${columns.slice(kept).map(([title]) => title).join(', ')}: see the files.\n` : ''}`
  }
}

const heading = (plan: Plan, { verbose }: Facts): string => `${plan.recipe ? plan.recipe.name : plan.kind === 'search' ? 'Search' : 'Sweep'}: ${plan.base.model.models.join(', ')}${verbose ? ` at ${plan.base.model.endpoint.urls.join(', ')}` : ''}\n\n`

function runs({ records }: SweepPoint): string {
  const ok = records.filter((r) => r.status === 'ok').length
  return ok === records.length ? String(ok) : `${ok} of ${records.length}`
}

/** Of the runs that count. */
function worstVerdict({ records }: SweepPoint): string {
  const verdicts = records.flatMap((r) => (r.status === 'ok' ? [r.verdict] : []))
  return (['invalid', 'suspect', 'valid'] as const).find((verdict) => verdicts.includes(verdict)) ?? '–'
}

/** Most points that are named: of more their number is told. */
const NAMED = 2

/** Why points are not valid, with the points: the table has room for the verdict only. */
function doubts(points: readonly SweepPoint[], names: ReadonlyMap<string, string>): string {
  const byCode = new Map<string, Set<SweepPoint>>()
  for (const point of points) for (const { status, doubts: codes } of point.records) if (status === 'ok') for (const code of codes ?? []) byCode.set(code, (byCode.get(code) ?? new Set()).add(point))
  if (byCode.size === 0) return ''
  const reasons = [...byCode].sort((a, b) => b[1].size - a[1].size).map(([code, at]) => `${code} (${at.size > NAMED ? `${at.size} points` : [...at].map((point) => describe(point, names)).join('; ')})`)
  return `  Why not all are valid: ${reasons.join(', ')}\n`
}

const describe = (point: SweepPoint, names: ReadonlyMap<string, string>): string => point.name ?? Object.entries(point.values).map(([path, value]) => `${names.get(path) ?? path} ${plainValue(value)}`).join(', ')

/** The best point of a search so far: `concurrency 12 (request_throughput avg 41.3)`. */
export function bestPoint({ objectives }: Search, history: JsonObject): { text: string; feasible: boolean } | undefined {
  const best = (history['best_trials'] as JsonObject[])[0]
  if (!best) return undefined
  const values = best['variation_values'] as JsonObject
  const names = parameterNames(Object.keys(values))
  const point = Object.entries(values).map(([path, value]) => `${names.get(path)} ${plainValue(value)}`).join(', ')
  const [objective] = objectives
  const value = (best['objective_values'] as (number | null)[])[0]
  return { text: `${point}${objective && value !== null && value !== undefined ? ` (${objective.tag} ${objective.stat} ${figure(value)})` : ''}`, feasible: best['feasible'] === true }
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

/** What a search came to. */
export function searchText(search: SearchOutcome, results: Results, plan: Plan, console: Facts): string {
  const boundary = search.history['boundary_summary'] as JsonObject | undefined
  const limits = plan.constraints.map((c) => `${c.tag} ${c.stat} ${c.op} ${c.threshold}`).join(', ')
  const answer: string[] = [...(limits === '' ? [] : [`  Limits: ${limits}`])]
  const best = bestPoint(plan.search!, search.history)
  if (best) answer.push(`  ${best.feasible ? 'Best point that keeps the limits' : plan.constraints.length > 0 ? 'No point keeps the limits for sure; the best seen' : 'Best point'}: ${best.text}`)
  for (const [key, words] of [['feasible_max', 'Highest that is sure to keep them'], ['infeasible_min', 'Lowest that is not']] as const) {
    const end = boundary?.[key] as JsonObject | null | undefined
    if (end) answer.push(`  ${words}: ${plainValue(end['value'])}${typeof end['runs'] === 'number' ? ` (${count(end['runs'], 'run')})` : ''}`)
  }
  for (const tier of (search.history['tier_results'] as JsonObject[] | undefined) ?? []) answer.push(`  ${plainValue(tier['label'])}: up to ${plainValue(tier['feasible_max'] ?? null)}`)
  answer.push(`  Ended after ${count(search.iterations.length, 'step')}: ${search.reason.replaceAll('_', ' ')}`)
  return `${sweepText(results, plan, console)}\n${answer.join('\n')}\n`
}

/** Metrics shown of repeated runs, in this order, where they exist. */
const REPEATED = ['request_throughput_avg', 'output_token_throughput_avg', 'goodput_avg', 'time_to_first_token_avg', 'time_to_first_token_p99', 'inter_token_latency_avg', 'inter_token_latency_p99', 'request_latency_avg', 'request_latency_p99']

/** What repeated runs came to: mean, spread and interval of the main figures. */
export function repeatsText({ points }: Results, plan: Plan): string {
  const { confidenceLevel } = plan.orchestration.repeats
  const metrics: CombinedMetrics = points[0]!.metrics
  const rows = REPEATED.flatMap((key) => {
    const m = metrics.get(key)
    return m ? [[key, m.unit, figure(m.mean), figure(m.std), m.count > 1 ? `${(m.cv * 100).toFixed(1)} % ${band(m.cv)}` : '–', m.count > 1 ? `${figure(m.low)} … ${figure(m.high)}` : 'one run: not known']] : []
  })
  const ok = points[0]!.records.filter((r) => r.status === 'ok').length
  return `\n${count(ok, 'run')}\n\n${lines(['metric', 'unit', 'mean', 'std', 'variation', `${confidenceLevel * 100} % interval of the mean`], rows, 2)}`
}

/** Words for a coefficient of variation. */
const band = (cv: number): string => (cv < 0.05 ? 'excellent' : cv < 0.1 ? 'good' : cv < 0.2 ? 'fair' : 'high')

/** A table: text to the left, from column `numbersFrom` on to the right. */
function lines(header: readonly string[], rows: readonly (readonly string[])[], numbersFrom = 0): string {
  const width = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) => `  ${cells.map((cell, i) => (i < numbersFrom ? cell.padEnd(width[i]!) : cell.padStart(width[i]!))).join('  ')}`.trimEnd()
  return [line(header), line(width.map((n) => '─'.repeat(n))), ...rows.map(line)].join('\n') + '\n'
}
