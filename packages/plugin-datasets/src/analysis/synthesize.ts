import { createWriteStream, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { finished } from 'node:stream/promises'
import { AiperfError, createRandom } from '@aiperf/core'
import type { TraceRow } from '../trace/traceRow.js'
import { AGENTIC_CONFIGS, agenticSessions, type AgenticConfig, type AgenticRow } from './agenticModel.js'
import { describeDataset, type DatasetFacts } from './synthesisReport.js'
import { analyseTrace, type TraceAnalysis } from './traceAnalysis.js'

export interface SynthesizeRequest {
  sessions: number
  /** Folder in which the dataset's own folder is made. */
  output: string
  /** Name of a model, or a JSON file with the values that differ from the default one. */
  config: string
  seed: number
  /** Longest input and output of a turn, tokens. */
  maxIsl?: number
  maxOsl?: number
  /** Time for the folder's name. */
  now: Date
}

/** Writes a made-up trace of coding agents with its description; returns the folder. */
export async function synthesizeAgenticCode(request: SynthesizeRequest): Promise<{ folder: string; analysis: TraceAnalysis }> {
  const { name, config } = configOf(request.config)
  const stamp = request.now.toISOString().replace(/[-:]/g, '').replace(/\..*$/, 'Z')
  const folder = join(request.output, `${name}_${request.sessions}s_seed${request.seed}_${stamp}`)
  await mkdir(folder, { recursive: true })
  const facts: DatasetFacts = { turns: [], contexts: [], newTokens: [], outputTokens: [], delaysS: [] }
  const contexts: TraceRow[] = []
  const file = createWriteStream(join(folder, 'dataset.jsonl'))
  const { maxIsl, maxOsl } = request
  const limits = { ...(maxIsl === undefined ? {} : { maxIsl }), ...(maxOsl === undefined ? {} : { maxOsl }) }
  for (const session of agenticSessions(config, request.sessions, createRandom(request.seed, 'synthesize'), limits)) {
    file.write(session.map((row) => `${JSON.stringify(row)}\n`).join(''))
    note(session, facts)
    contexts.push(...wholeContexts(session, config.blockSize))
  }
  file.end()
  await finished(file)
  const analysis = await analyseTrace(each(contexts), config.blockSize)
  const { sessions, seed } = request
  const files = describeDataset({ name, config, sessions, seed, ...limits }, facts, analysis)
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content)
  return { folder, analysis }
}

async function* each<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list
}

function note(session: readonly AgenticRow[], facts: DatasetFacts): void {
  facts.turns.push(session.length)
  facts.contexts.push(session.reduce((sum, row) => sum + row.input_length + row.output_length, 0))
  for (const row of session) {
    facts.outputTokens.push(row.output_length)
    if (row.delay === undefined) continue
    facts.newTokens.push(row.input_length)
    facts.delaysS.push(row.delay / 1000)
  }
}

/** What a server sees of a session: every turn with the blocks of all turns before it. */
function wholeContexts(session: readonly AgenticRow[], blockSize: number): TraceRow[] {
  let ids: number[] = []
  return session.map((row, at) => {
    ids = [...ids, ...row.hash_ids]
    return { file: '', line: at + 1, sessionId: row.session_id, outputTokens: row.output_length, content: { kind: 'tokens', inputTokens: ids.length * blockSize, hashIds: ids } }
  })
}

function configOf(name: string): { name: string; config: AgenticConfig } {
  const known = AGENTIC_CONFIGS[name]
  if (known) return { name, config: known }
  let given: Partial<AgenticConfig>
  try {
    given = JSON.parse(readFileSync(name, 'utf8')) as Partial<AgenticConfig>
  } catch (error) {
    throw new AiperfError('E_CONFIG', `--config: expected ${Object.keys(AGENTIC_CONFIGS).join(' or ')}, or a JSON file, got "${name}" (${(error as Error).message})`)
  }
  const model = AGENTIC_CONFIGS['default']!
  const unknown = Object.keys(given).filter((key) => !(key in model))
  if (unknown.length > 0) throw new AiperfError('E_CONFIG', `${name}: ${unknown.join(', ')} means nothing; expected ${Object.keys(model).join(', ')}`)
  return { name: parse(name).name, config: { ...model, ...given } }
}
