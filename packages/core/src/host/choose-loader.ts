import { readsFiles } from '../contracts/dataset.js'
import { AiperfError } from '../errors.js'
import type { Host } from './activate.js'
import { contributionsOf } from './find.js'
import type { IndexedContribution } from './plugin-index.js'
import { readHead } from './source.js'

/** The loader of a dataset: the one named, or the only one that knows the file; the one that generates without a file. */
export async function chooseLoader(host: Host, { type, path }: { type: string; path?: string }): Promise<IndexedContribution> {
  if (type !== 'auto') return host.find('dataset_loader', type)
  if (path === undefined) return host.find('dataset_loader', 'synthetic')
  const head = await readHead(path)
  const files = contributionsOf(host.index, 'dataset_loader').filter((c) => readsFiles(c.meta))
  // A row may name its own format.
  const named = (head.first as { type?: unknown } | undefined)?.type
  const own = files.find((c) => c.name === named)
  if (own) return own
  const fitting: IndexedContribution[] = []
  for (const candidate of files) {
    const loader = await host.activate('dataset_loader', candidate.name, { name: candidate.name, options: {}, ...NOTHING })
    if (loader.detect?.(head)) fitting.push(candidate)
  }
  const names = files.map((c) => c.name).join(', ')
  if (fitting.length === 0)
    throw new AiperfError('E_DATASET', `${path} is of no known format`, { hint: `name it with --custom-dataset-type: ${names}` })
  if (fitting.length > 1)
    throw new AiperfError('E_DATASET', `${path} could be ${fitting.map((c) => c.name).join(' or ')}`, { hint: 'say which with --custom-dataset-type' })
  return fitting[0]!
}

/** Detection reads the head alone: nothing else is to hand. */
const NOTHING = {
  random: (): never => {
    throw new Error('detection draws no random numbers')
  },
  tokenizer: (): never => {
    throw new Error('detection needs no tokenizer')
  },
  entries: 0,
  models: [],
  fixedSchedule: false,
  endpoint: { type: '', media: [], consumesSystemMessage: false },
}
