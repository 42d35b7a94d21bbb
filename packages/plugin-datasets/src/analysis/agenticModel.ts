import type { Random } from '@aiperf/core'

interface LogNormal {
  mean: number
  median: number
  least?: number
  most?: number
}

/** The model of coding agents' sessions; lengths in tokens, delays in seconds. */
export interface AgenticConfig {
  blockSize: number
  /** Context that all sessions begin with. */
  sharedTokens: number
  /** Context that the sessions of a group share behind it; groups are chosen by Zipf's law. */
  groups: { count: number; exponent: number; tokens: LogNormal }
  /** Context of a session's own at its beginning. */
  ownTokens: LogNormal
  newTokens: LogNormal
  outputTokens: LogNormal
  /** Share of turns that an agent sends; the others wait for a person. */
  agentShare: number
  agentDelay: LogNormal
  humanDelay: LogNormal
  contextLimit: number
  /** Chance that a session ends after a turn, at an empty context; grows by half until the limit. */
  endChance: number
}

export const AGENTIC_CONFIGS: Readonly<Record<string, AgenticConfig>> = {
  default: {
    blockSize: 512,
    sharedTokens: 32_000,
    groups: { count: 50, exponent: 1.2, tokens: { mean: 8000, median: 6000, most: 30_000 } },
    ownTokens: { mean: 15_000, median: 5000, most: 30_000 },
    newTokens: { mean: 6600, median: 6000, least: 1 },
    outputTokens: { mean: 1100, median: 1000, least: 30, most: 1500 },
    agentShare: 0.7,
    agentDelay: { mean: 2.5, median: 1.8 },
    humanDelay: { mean: 40, median: 25 },
    contextLimit: 167_000,
    endChance: 0.01,
  },
}

/** A row of a Mooncake trace; lengths and ids are those of what is new in the turn. */
export interface AgenticRow {
  session_id: string
  input_length: number
  output_length: number
  hash_ids: number[]
  timestamp?: number
  group_id?: number
  is_restart?: boolean
  delay?: number
}

const REJECTIONS = 100

function draw({ mean, median, least = 0, most = Infinity }: LogNormal, random: Random): number {
  const sigma = mean > median ? Math.sqrt(2 * Math.log(mean / median)) : 0
  for (let attempt = 0; attempt < REJECTIONS; attempt++) {
    const value = median * Math.exp(sigma * random.normal())
    if (value >= least && value <= most) return value
  }
  return Math.min(most, Math.max(least, median))
}

const tokens = (law: LogNormal, random: Random): number => Math.max(1, Math.round(draw(law, random)))

/** Weights 1/k^s of the groups. */
function zipf(count: number, exponent: number): (random: Random) => number {
  const sums: number[] = []
  for (let rank = 1, sum = 0; rank <= count; rank++) sums.push((sum += rank ** -exponent))
  return (random) => {
    const at = random.next() * sums.at(-1)!
    return Math.max(0, sums.findIndex((sum) => at < sum))
  }
}

/** Sessions of coding agents, one list of rows each. Session i depends on the seed and on i alone, but for its block ids. */
export function* agenticSessions(config: AgenticConfig, count: number, root: Random, limits: { maxIsl?: number; maxOsl?: number } = {}): Generator<AgenticRow[]> {
  const { blockSize: block } = config
  const sharedBlocks = Math.floor(config.sharedTokens / block)
  const groupOf = zipf(config.groups.count, config.groups.exponent)
  const groupBlocks = Array.from({ length: config.groups.count }, (_, group) => Math.floor(tokens(config.groups.tokens, root.fork(`group ${group}`)) / block))
  const firstOf = groupBlocks.map((_, group) => sharedBlocks + groupBlocks.slice(0, group).reduce((sum, size) => sum + size, 0))
  let fresh = sharedBlocks + groupBlocks.reduce((sum, size) => sum + size, 0)
  const freshBlocks = (size: number) => Array.from({ length: Math.ceil(size / block) }, () => fresh++)
  const run = (first: number, length: number) => Array.from({ length }, (_, at) => first + at)
  const maxIsl = limits.maxIsl ?? Infinity
  let atLimit = false
  for (let index = 0; index < count; index++) {
    const random = root.fork(index)
    const group = groupOf(random)
    const id = `session_${String(index).padStart(6, '0')}`
    const shared = [...run(0, sharedBlocks), ...run(firstOf[group]!, groupBlocks[group]!)]
    const own = tokens(config.ownTokens, random)
    const input = Math.min(maxIsl, shared.length * block + own)
    const ids = [...shared, ...freshBlocks(own)].slice(0, Math.ceil(input / block))
    const output = () => Math.min(limits.maxOsl ?? Infinity, tokens(config.outputTokens, random))
    const rows: AgenticRow[] = [{ session_id: id, input_length: input, output_length: output(), hash_ids: ids, timestamp: 0, group_id: group, is_restart: atLimit }]
    let context = input + rows[0]!.output_length
    atLimit = false
    for (;;) {
      const ratio = context / config.contextLimit
      if (random.next() < config.endChance * (1 + 0.5 * ratio)) break
      const news = Math.min(maxIsl, tokens(config.newTokens, random))
      if (context + news > config.contextLimit) {
        atLimit = true
        break
      }
      const law = random.next() < config.agentShare ? config.agentDelay : config.humanDelay
      const delay = Math.round(1000 * draw(law, random) * Math.max(0.2, 1 - 0.8 * ratio))
      rows.push({ session_id: id, delay, input_length: news, output_length: output(), hash_ids: freshBlocks(news) })
      context += news + rows.at(-1)!.output_length
    }
    yield rows
  }
}
