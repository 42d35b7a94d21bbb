import { AiperfError } from '@aiperf/core'
import type { Hub, Repository } from '../hub/hub.js'
import type { PublicSet } from './catalog.js'

const TABLE = /\.(parquet|jsonl|json|csv)(\.gz|\.zst)?$/
/** Branch in which the hub keeps every set as Parquet, `<subset>/<split>/0000.parquet`. */
const CONVERTED = 'refs/convert/parquet'

export interface SplitFiles {
  revision: string
  paths: string[]
}

/** The files of a subset and split: of the repository itself, or of the Parquet that the hub makes of every set. */
export async function splitFiles(hub: Hub, repository: Repository, set: Pick<PublicSet, 'subset' | 'split'>, revision: string): Promise<SplitFiles> {
  const own = chooseFiles(await hub.files(repository, revision), set)
  if (own.length > 0) return { revision, paths: own }
  const converted = await hub.files(repository, CONVERTED).catch(() => [])
  const paths = chooseFiles(converted, set)
  if (paths.length > 0) return { revision: CONVERTED, paths }
  throw new AiperfError('E_DATASET', `The dataset ${repository.name} has no files of ${set.subset === undefined ? '' : `subset ${set.subset}, `}split ${set.split} that can be read`, {
    hint: 'choose a subset with --hf-subset; expected are Parquet, JSON lines or CSV files',
  })
}

/** Of all files those that are named after the split, in a folder of the subset where there is one; Parquet before others. */
export function chooseFiles(paths: readonly string[], { subset, split }: Pick<PublicSet, 'subset' | 'split'>): string[] {
  const tables = paths.filter((path) => TABLE.test(path))
  const ofSplit = tables.filter((path) => namesSplit(path, split))
  const ofSubset = subset === undefined ? ofSplit.filter((path) => isPlain(path, split)) : ofSplit.filter((path) => path.split('/').slice(0, -1).includes(subset) || path.split('/').at(-1)!.startsWith(`${subset}-`))
  const found = ofSubset.length > 0 ? ofSubset : subset === undefined ? ofSplit : []
  const parquet = found.filter((path) => path.endsWith('.parquet'))
  return parquet.length > 0 ? parquet : found
}

/** `data/train-00000-of-00002.parquet`, `main/test.parquet`, `clean/test/0000.parquet`, `partial-train/0000.parquet`. */
function namesSplit(path: string, split: string): boolean {
  const segments = path.split('/')
  const file = segments.pop()!
  return segments.some((segment) => segment === split || segment === `partial-${split}`) || new RegExp(`(^|[-_.])${split}([-_.]|$)`).test(file)
}

/** Whether a file is in the default subset: at the top, in `data`, in `default`, or in the split's own folder. */
function isPlain(path: string, split: string): boolean {
  return path.split('/').slice(0, -1).every((segment) => ['data', 'default', split, `partial-${split}`].includes(segment))
}
