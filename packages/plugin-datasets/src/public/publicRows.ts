import { AiperfError, type LoadReport, type Source } from '@aiperf/core'
import { Hub, type FetchProgress } from '../hub/hub.js'
import { datasetRows } from '../tables/datasetRows.js'
import type { TableRow } from '../tables/tableRow.js'
import type { PublicSet } from './catalog.js'
import { splitFiles } from './splitFiles.js'

/** Where rows stand. */
type Place = Pick<PublicSet, 'repository' | 'subset' | 'split'>

/** The rows of a public set, one file after the other; a file is fetched when the rows before it are used up. */
export async function* publicRows(set: Place, revision: string, columns: readonly string[], source: Source, report: LoadReport): AsyncGenerator<TableRow> {
  const hub = new Hub('E_DATASET')
  const repository = { type: 'dataset' as const, name: set.repository }
  const files = await splitFiles(hub, repository, set, revision)
  report.provenance({ dataset: set.repository, revision: files.revision, commit: await hub.commit(repository, files.revision), split: set.split, ...(set.subset === undefined ? {} : { subset: set.subset }) })
  const progress: FetchProgress = (path, bytes, total) => report.progress(`${set.repository}/${path}`, bytes, total)
  let first = true
  for (const path of files.paths) {
    const local = await hub.file(repository, files.revision, path, progress)
    if (local === undefined)
      throw new AiperfError('E_DATASET', `${set.repository}/${path} is not in ${hub.settings.cache}`, { hint: 'fetch the dataset once without HF_HUB_OFFLINE' })
    const rows = path.endsWith('.parquet') ? (await import('../tables/parquetRows.js')).parquetRows(local, columns) : datasetRows(source, report, local)
    for await (const row of rows) {
      if (first) await checkColumns(row, columns, set, path, local)
      first = false
      yield row
    }
  }
}

async function checkColumns({ row }: TableRow, columns: readonly string[], set: Place, path: string, local: string): Promise<void> {
  const missing = columns.filter((column) => !(column in row))
  if (missing.length === 0) return
  const all = path.endsWith('.parquet') ? await (await import('../tables/parquetRows.js')).parquetColumns(local) : Object.keys(row)
  throw new AiperfError('E_DATASET', `${set.repository}/${path} has no column ${missing.join(', ')}: it has ${all.join(', ')}`, {
    hint: 'the dataset has changed: choose an older state with --dataset-revision or --accuracy-revision, or another subset with --hf-subset',
  })
}
