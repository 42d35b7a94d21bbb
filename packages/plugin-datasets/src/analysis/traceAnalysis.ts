import type { HashId, TraceRow } from '../trace/traceRow.js'
import { LruCurve } from './lruCurve.js'
import { PrefixTree } from './prefixTree.js'
import { summaryOf, type Summary } from './summary.js'

/** What a trace asks of a server, in the keys of the reference's report and some more. */
export interface TraceAnalysis {
  total_requests: number
  /** Distinct id prefixes of every length. */
  unique_prefixes: number
  /** First ids that several requests begin with. */
  num_prefix_groups: number
  /** Share of the blocks that an unlimited cache by ids would have: the leading run of ids that earlier requests had. */
  cache_hit_rate: number
  /** As `cache_hit_rate`, but a block counts only behind the same blocks, as in servers that hash whole prefixes. */
  prefix_cache_hit_rate: number
  /** The same by tokens of all input: what a server's hit and query counters come to. */
  prefix_cache_token_hit_rate: number
  /** Share of all prefixes, counted as often as they come, that come more than once. */
  prefix_reuse_ratio: number
  min_isl?: number
  max_isl?: number
  avg_isl?: number
  min_osl?: number
  max_osl?: number
  avg_osl?: number
  isl_stats?: Summary
  osl_stats?: Summary
  /** Tokens of blocks that stand at the same place in other requests too. */
  context_length_stats?: Summary
  unique_prompt_length_stats?: Summary
  /** Per request, 0 to 1. */
  hit_rate_stats?: Summary
  block_size: number
  sessions: { count: number; turns_stats?: Summary }
  /** Arrivals of the requests that have time stamps. */
  arrivals?: { duration_s: number; rate_per_s: number; gap_cv: number }
  /** Hit rate of a least-recently-used cache by its size. */
  lru_hit_rates: { blocks: number; tokens: number; hit_rate: number }[]
  /** Distinct blocks after so many requests. */
  working_set: { requests: number; blocks: number }[]
}

const CURVE_POINTS = 10

/** Analyses the requests of a trace that have lengths; their order is that of the trace. */
export async function analyseTrace(rows: AsyncIterable<TraceRow>, blockSize: number): Promise<TraceAnalysis> {
  const requests: { isl: number; osl: number | undefined; ids: readonly HashId[]; nodes: number[]; hit: number | undefined }[] = []
  const tree = new PrefixTree()
  const lru = new LruCurve()
  const seen = new Set<HashId>()
  const placed = new Map<string, number>()
  const first = new Map<HashId, number>()
  const turns = new Map<string, number>()
  const times: number[] = []
  const sizes: number[] = []
  let blocks = 0
  let hits = 0
  let chainHits = 0
  let hitTokens = 0
  for await (const row of rows) {
    const { content } = row
    if (content.kind !== 'tokens') continue
    const ids = content.hashIds
    const known = tree.size
    const nodes = tree.walk(ids)
    const found = nodes.filter((node) => node < known).length
    chainHits += found
    hitTokens += Math.min(content.inputTokens, found * blockSize)
    let run = 0
    while (run < ids.length && seen.has(ids[run]!)) run++
    for (const [at, id] of ids.entries()) {
      seen.add(id)
      const key = `${at}:${id}`
      placed.set(key, (placed.get(key) ?? 0) + 1)
    }
    if (ids.length > 0) first.set(ids[0]!, (first.get(ids[0]!) ?? 0) + 1)
    lru.use(nodes)
    blocks += ids.length
    hits += run
    sizes.push(tree.size)
    if (row.timestampMs !== undefined) times.push(row.timestampMs)
    const session = row.sessionId ?? `line ${row.line}`
    turns.set(session, (turns.get(session) ?? 0) + 1)
    requests.push({ isl: content.inputTokens, osl: row.outputTokens, ids, nodes, hit: ids.length === 0 ? undefined : run / ids.length })
  }
  const isl = requests.map((request) => request.isl)
  const osl = requests.flatMap((request) => request.osl ?? [])
  const context = requests.map((request) => {
    const shared = request.ids.filter((id, at) => placed.get(`${at}:${id}`)! > 1).length
    return shared === request.ids.length && shared > 0 ? request.isl : Math.min(request.isl, shared * blockSize)
  })
  const reused = tree.passed.filter((count) => count > 1).reduce((sum, count) => sum + count, 0)
  const arrivals = arrivalsOf(times)
  const lengths = (name: 'isl' | 'osl', values: number[]) => {
    const stats = summaryOf(values)
    return stats && { [`min_${name}`]: stats.min, [`max_${name}`]: stats.max, [`avg_${name}`]: stats.mean, [`${name}_stats`]: stats }
  }
  return {
    total_requests: requests.length,
    unique_prefixes: tree.size,
    num_prefix_groups: [...first.values()].filter((count) => count > 1).length,
    cache_hit_rate: blocks === 0 ? 0 : hits / blocks,
    prefix_cache_hit_rate: blocks === 0 ? 0 : chainHits / blocks,
    prefix_cache_token_hit_rate: hitTokens === 0 ? 0 : hitTokens / isl.reduce((sum, length) => sum + length, 0),
    prefix_reuse_ratio: blocks === 0 ? 0 : reused / blocks,
    ...lengths('isl', isl),
    ...lengths('osl', osl),
    ...stats('context_length_stats', context),
    ...stats('unique_prompt_length_stats', isl.map((length, at) => length - context[at]!)),
    ...stats('hit_rate_stats', requests.flatMap((request) => request.hit ?? [])),
    block_size: blockSize,
    sessions: { count: turns.size, ...stats('turns_stats', [...turns.values()]) },
    ...(arrivals ? { arrivals } : {}),
    lru_hit_rates: cacheSizes(tree.size).map((size) => ({ blocks: size, tokens: size * blockSize, hit_rate: lru.hitRate(size) })),
    working_set: points(sizes.length).map((at) => ({ requests: at, blocks: sizes[at - 1]! })),
  }
}

function stats<K extends string>(key: K, values: number[]): { [key in K]?: Summary } {
  const summary = summaryOf(values)
  return (summary ? { [key]: summary } : {}) as { [key in K]?: Summary }
}

/** Rate over the time from the first to the last arrival, and the coefficient of variation of the gaps (1: Poisson). */
function arrivalsOf(times: number[]): TraceAnalysis['arrivals'] {
  if (times.length < 2) return undefined
  times.sort((a, b) => a - b)
  const durationS = (times.at(-1)! - times[0]!) / 1000
  const gaps = summaryOf(times.slice(1).map((time, at) => time - times[at]!))!
  return { duration_s: durationS, rate_per_s: durationS > 0 ? (times.length - 1) / durationS : 0, gap_cv: gaps.mean > 0 ? gaps.std_dev / gaps.mean : 0 }
}

/** Powers of 2 up to what holds everything. */
function cacheSizes(all: number): number[] {
  const sizes: number[] = []
  for (let size = 1; size < all; size *= 2) sizes.push(size)
  return all === 0 ? [] : [...sizes, all]
}

function points(count: number): number[] {
  const all = Array.from({ length: Math.min(CURVE_POINTS, count) }, (_, at) => Math.round(((at + 1) * count) / Math.min(CURVE_POINTS, count)))
  return [...new Set(all)]
}
