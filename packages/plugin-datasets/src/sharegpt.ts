import { AiperfError, defineDatasetLoader, isJsonObject, type DatasetContext, type Json, type LoadReport, type OptionsSchema, type Session, type Turn } from '@aiperf/core'
import { tokensOf, type Distribution } from './distributions/distribution.js'
import { SessionIds } from './rows/sessionIds.js'
import { datasetRows } from './tables/datasetRows.js'

const ASKS = new Set(['human', 'user'])
const ANSWERS = new Set(['gpt', 'chatgpt', 'assistant', 'bing', 'bard', 'model'])
/** Lengths of conversations that are kept, tokens. */
const PROMPT = { least: 4, most: 1024 }
const ANSWER_LEAST = 4
const PAIR_MOST = 2048

/** Where the usual copy is kept on the hub. */
const REPOSITORY = { type: 'dataset' as const, name: 'anon8231489123/ShareGPT_Vicuna_unfiltered' }
const FILE = 'ShareGPT_V3_unfiltered_cleaned_split.json'

export interface ShareGptOptions {
  lengthFilter?: boolean
  revision?: string
  prompts?: { osl?: Distribution }
}

/**
 * Conversations in the form of ShareGPT: a JSON array (or JSON lines) of objects with `conversations`, whose human and gpt
 * entries follow each other. What has no such pair is left out and counted.
 */
export default defineDatasetLoader<OptionsSchema<ShareGptOptions>>({
  create(context) {
    return {
      detect: (head) => isJsonObject(head.first) && Array.isArray(head.first['conversations']),
      async *load(source, report) {
        const toSession = await shareGptReader(context)
        const ids = new SessionIds()
        let index = 0
        const path = source.path === undefined && !source.records ? await downloaded(context.options.revision ?? 'main', report) : undefined
        for await (const { row } of path === undefined ? datasetRows(source, report) : datasetRows(source, report, path)) {
          const read = toSession(row)
          if (typeof read === 'string') report.skipped(read)
          else yield { ...read, id: typeof row['id'] === 'string' && row['id'] !== '' && ids.take(row['id']) ? row['id'] : ids.next(index++) }
        }
      },
    }
  },
})

async function downloaded(revision: string, report: LoadReport): Promise<string> {
  const { Hub } = await import('./hub/hub.js')
  const hub = new Hub('E_DATASET')
  const path = await hub.file(REPOSITORY, revision, FILE, (_, bytes, total) => report.progress(FILE, bytes, total))
  if (path === undefined) throw new AiperfError('E_DATASET', `${REPOSITORY.name} has no ${FILE}`, { hint: 'give a file of that form with --input-file' })
  report.provenance({ dataset: REPOSITORY.name, revision, commit: await hub.commit(REPOSITORY, revision), file: FILE })
  return path
}

/** Turns an entry into a session; a text says why it cannot be used. */
export async function shareGptReader(context: DatasetContext<ShareGptOptions>): Promise<(entry: Json) => Omit<Session, 'id'> | string> {
  const { lengthFilter = true, prompts } = context.options
  const tokenizer = lengthFilter ? await context.tokenizer() : undefined
  const asks = prompts?.osl && tokensOf(prompts.osl, 1)
  const random = context.random('dataset.output_length')
  let index = 0
  return (entry) => {
    const own = asks && random.fork(index++)
    const list = isJsonObject(entry) ? entry['conversations'] : undefined
    if (!Array.isArray(list)) return 'no list of conversations'
    const pairs = pairsOf(list)
    if (pairs.length === 0) return 'no question with an answer'
    const turns: Turn[] = []
    for (const [at, { ask, answer }] of pairs.entries()) {
      const asked = asks?.(own!.fork(at))
      const output = asked ?? tokenizer?.count(answer)
      if (tokenizer && !isKept(tokenizer.count(ask), output!, asked === undefined)) return 'shorter or longer than the length filter allows'
      turns.push({ texts: [{ contents: [ask] }], ...(output === undefined ? {} : { maxTokens: Math.max(1, Math.round(output)) }) })
    }
    return { turns }
  }
}

/** Every question that is directly followed by an answer. */
function pairsOf(list: readonly Json[]): { ask: string; answer: string }[] {
  const pairs: { ask: string; answer: string }[] = []
  let ask: string | undefined
  for (const item of list) {
    const from = isJsonObject(item) ? (item['from'] ?? item['role']) : undefined
    const value = isJsonObject(item) ? (item['value'] ?? item['content']) : undefined
    if (typeof from !== 'string' || typeof value !== 'string' || value.trim() === '') ask = undefined
    else if (ASKS.has(from)) ask = value
    else if (ANSWERS.has(from) && ask !== undefined) {
      pairs.push({ ask, answer: value })
      ask = undefined
    }
  }
  return pairs
}

function isKept(prompt: number, output: number, recorded: boolean): boolean {
  return prompt >= PROMPT.least && prompt <= PROMPT.most && (!recorded || output >= ANSWER_LEAST) && prompt + output <= PAIR_MOST
}
