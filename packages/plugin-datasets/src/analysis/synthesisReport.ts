import type { AgenticConfig } from './agenticModel.js'
import { htmlPage, lineDrawing, type HtmlTable } from './htmlPage.js'
import { summaryOf, type Summary } from './summary.js'
import type { TraceAnalysis } from './traceAnalysis.js'

/** What was drawn, one value per session or turn. */
export interface DatasetFacts {
  turns: number[]
  contexts: number[]
  newTokens: number[]
  outputTokens: number[]
  delaysS: number[]
}

interface Quantity {
  name: string
  target?: { mean: number; median: number }
  realised: Summary | undefined
}

/** The files that describe a made-up dataset, by name. */
export function describeDataset(
  made: { name: string; config: AgenticConfig; sessions: number; seed: number; maxIsl?: number; maxOsl?: number },
  facts: DatasetFacts,
  analysis: TraceAnalysis,
): Record<string, string> {
  const { config } = made
  const quantities: Quantity[] = [
    { name: 'new tokens per turn', target: config.newTokens, realised: summaryOf(facts.newTokens) },
    { name: 'output tokens per turn', target: config.outputTokens, realised: summaryOf(facts.outputTokens) },
    { name: 'delay, seconds', target: mixed(config), realised: summaryOf(facts.delaysS) },
    { name: 'turns per session', realised: summaryOf(facts.turns) },
    { name: 'tokens at the end of a session', realised: summaryOf(facts.contexts) },
  ]
  const title = `${made.name}, ${made.sessions} sessions, seed ${made.seed}`
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  const sizes: HtmlTable = { title: 'Hit rate by cache size', head: ['blocks', 'tokens', 'hit rate'], rows: analysis.lru_hit_rates.map((item) => [item.blocks, item.tokens, item.hit_rate]) }
  const sets: HtmlTable = { title: 'Distinct blocks', head: ['requests', 'blocks'], rows: analysis.working_set.map((item) => [item.requests, item.blocks]) }
  return {
    'manifest.json': json({ format: 'mooncake_trace', ...made, requests: analysis.total_requests, files: { dataset: 'dataset.jsonl' } }),
    'quality.json': json({ quantities: quantities.map(({ name, target, realised }) => ({ name, ...(target ? { target: { mean: target.mean, median: target.median } } : {}), realised })), analysis }),
    'comparison.txt': comparison(quantities),
    'report.html': htmlPage(title, [lengths(quantities)]),
    'cache_explorer.html': htmlPage(`Cache: ${title}`, [sizes, sets], lineDrawing(analysis.lru_hit_rates.map((item) => [item.tokens, item.hit_rate]), 'Hit rate by tokens of cache')),
    'simulation.html': htmlPage(`Working set: ${title}`, [sets], lineDrawing(analysis.working_set.map((item) => [item.requests, item.blocks]), 'Distinct blocks by requests')),
  }
}

/** Mean of the two laws of the delay; the context's factor lowers it further. */
function mixed({ agentShare, agentDelay, humanDelay }: AgenticConfig): { mean: number; median: number } {
  const blend = (agent: number, human: number) => agentShare * agent + (1 - agentShare) * human
  return { mean: blend(agentDelay.mean, humanDelay.mean), median: blend(agentDelay.median, humanDelay.median) }
}

function lengths(quantities: readonly Quantity[]): HtmlTable {
  return {
    title: 'What was drawn',
    head: ['', 'mean', 'std dev', 'min', 'p25', 'median', 'p75', 'max'],
    rows: quantities.flatMap(({ name, realised }) => (realised ? [[name, realised.mean, realised.std_dev, realised.min, realised.p25, realised.median, realised.p75, realised.max]] : [])),
  }
}

function comparison(quantities: readonly Quantity[]): string {
  const cell = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(1)).padStart(14)
  const rows = quantities.map(({ name, target, realised }) => name.padEnd(34) + [target?.mean, realised?.mean, target?.median, realised?.median].map(cell).join(''))
  return `${[`${''.padEnd(34)}${['mean wanted', 'mean drawn', 'median wanted', 'median drawn'].map((head) => head.padStart(14)).join('')}`, ...rows].join('\n')}\n`
}
