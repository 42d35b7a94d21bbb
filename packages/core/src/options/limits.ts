import { wholeScore } from '../contracts/accuracy.js'
import type { Json } from '../contracts/dataset.js'
import { STATISTICS } from '../contracts/metric.js'
import type { Constraint, Objective, Tier } from '../contracts/search.js'
import type { Problem } from '../errors.js'
import { contributionsOf } from '../host/find.js'
import { didYouMean } from '../host/nearest.js'
import type { PluginIndex } from '../host/plugin-index.js'
import { isJsonObject } from '../json.js'
import { problemOf } from './given.js'

const OPERATORS: Readonly<Record<string, Constraint['op']>> = { lt: '<', le: '<=', gt: '>', ge: '>=', eq: '==', '<': '<', '<=': '<=', '>': '>', '>=': '>=', '==': '==' }

/** Reads limits, axes and names of metrics. What is wrong with them is added to `problems`. */
export class LimitReader {
  readonly problems: Problem[] = []
  readonly #tags: ReadonlySet<string>

  constructor(index: PluginIndex) {
    this.#tags = new Set(contributionsOf(index, 'metric').flatMap((c) => c.metrics?.map((m) => m.tag) ?? []))
  }

  /** `metric:stat:op:threshold`, or the same as a mapping. */
  limit(value: Json, name: string): Constraint | undefined {
    const parts = isJsonObject(value) ? [value['metric'], value['stat'] ?? 'avg', value['op'], value['threshold']] : String(value).split(':')
    const [tag, stat, operator, threshold] = parts
    const op = OPERATORS[String(operator).toLowerCase()]
    const limit = typeof threshold === 'number' ? threshold : threshold === undefined || String(threshold).trim() === '' ? Number.NaN : Number(threshold)
    if (parts.length !== 4 || op === undefined || !Number.isFinite(limit)) {
      this.problems.push(problemOf(name, `must be metric:stat:op:threshold with op lt, le, gt or ge, got ${JSON.stringify(value)}`, 'For example time_to_first_token:p95:lt:200.'))
      return undefined
    }
    return this.metric(String(tag), name) && this.stat(String(stat), name) ? { tag: String(tag), stat: String(stat), op, threshold: limit } : undefined
  }

  /** `[label:]limit,limit`, or a mapping of label and filters. */
  tier(value: Json, at: number, name: string): Tier | undefined {
    if (isJsonObject(value)) {
      const filters = (value['filters'] as Json[]).map((filter) => this.limit(filter, name))
      return filters.includes(undefined) ? undefined : { label: (value['label'] as string | undefined) ?? `tier_${at}`, constraints: filters as Constraint[] }
    }
    const text = String(value)
    const labelled = /^([^:,]+):(?=[^:,]+:[^:,]+:[^:,]+:)/.exec(text)
    const filters = (labelled ? text.slice(labelled[0].length) : text).split(',').map((filter) => this.limit(filter.trim(), name))
    return filters.includes(undefined) ? undefined : { label: labelled?.[1]!.trim() ?? `tier_${at}`, constraints: filters as Constraint[] }
  }

  /** `metric[:stat]:min|max,…`: at least two axes. */
  axes(text: string, name: string): Objective[] | undefined {
    const axes = text.split(',').map((part): Objective | undefined => {
      const words = part.trim().split(':')
      const direction = ({ min: 'minimize', minimize: 'minimize', max: 'maximize', maximize: 'maximize' } as const)[words.at(-1)!.toLowerCase() as 'min']
      const [tag, stat = 'avg'] = words.slice(0, -1)
      return direction && tag && words.length <= 3 && this.metric(tag, name) && this.stat(stat, name) ? { tag, stat, direction } : undefined
    })
    if (!axes.includes(undefined) && axes.length >= 2) return axes as Objective[]
    if (this.problems.every((p) => p.flags[0] !== name)) this.problems.push(problemOf(name, `must be two or more axes metric[:stat]:min or :max with commas between, got ${JSON.stringify(text)}`, 'For example time_to_first_token:p95:min,output_token_throughput:max.'))
    return undefined
  }

  /** Whether there is such a metric; where no package says what it computes, any name will do. */
  metric(tag: string, name: string): boolean {
    const plain = wholeScore(tag.replace(/^adj_/, '').replace(/_with_unfinished$/, ''))
    if (this.#tags.size === 0 || this.#tags.has(plain)) return true
    this.problems.push(problemOf(name, `names the metric ${JSON.stringify(tag)}, which nothing here computes`, didYouMean(tag, this.#tags) || 'docs/metrics.md lists them.'))
    return false
  }

  stat(stat: string, name: string): boolean {
    if ((STATISTICS as readonly string[]).includes(stat)) return true
    this.problems.push(problemOf(name, `names the statistic ${JSON.stringify(stat)}`, `One of ${STATISTICS.join(', ')}.`))
    return false
  }
}
