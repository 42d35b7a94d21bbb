import { AiperfError, type RunResult } from '@aiperf/core'
import type { ColumnSource, ParquetWriter } from 'hyparquet-writer'
import { parquetColumns, type Cell, type ParquetColumn } from './columns.js'

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema']

const ROWS_PER_GROUP = 20_000
/** Version of the columns' names and meaning. */
const SCHEMA_VERSION = '1.0'

/** A Parquet file of all records, row group by row group. */
export async function* parquetFile(run: RunResult): AsyncGenerator<Uint8Array> {
  const library = await import('hyparquet-writer')
  const columns = parquetColumns(run)
  const bytes = new library.ByteWriter()
  let lists: Set<number> | undefined
  let writer: ParquetWriter | undefined
  let data: Cell[][] = columns.map(() => [])

  /** What was written since the last call; offsets within the file go on. */
  const taken = () => {
    const part = new Uint8Array(bytes.buffer, 0, bytes.index).slice()
    bytes.index = 0
    return part
  }
  const flush = async () => {
    const known = (lists ??= listColumns(data))
    writer ??= new library.ParquetWriter({ writer: bytes, schema: schemaOf(columns, known), kvMetadata: keyValues(run), createdBy: `aiperf ${run.manifest.aiperfVersion}` })
    const sources = columns.map(({ name }, c) => ({ name, data: known.has(c) ? data[c]!.map(asList) : scalars(name, data[c]!) }) as ColumnSource)
    data = columns.map(() => [])
    await writer.write({ columnData: sources, rowGroupSize: ROWS_PER_GROUP })
    return taken()
  }

  for await (const { record, value } of run.records()) {
    for (const [c, column] of columns.entries()) data[c]!.push(column.cell(record, value))
    if (data[0]!.length === ROWS_PER_GROUP) yield await flush()
  }
  if (writer === undefined || data[0]!.length > 0) yield await flush()
  await writer!.finish()
  yield taken()
}

function listColumns(data: readonly Cell[][]): Set<number> {
  return new Set(data.flatMap((cells, c) => (cells.some((cell) => Array.isArray(cell)) ? [c] : [])))
}

function asList(cell: Cell): Cell {
  return typeof cell === 'number' ? [cell] : cell
}

function scalars(name: string, cells: Cell[]): Cell[] {
  if (cells.some((cell) => Array.isArray(cell)))
    throw new AiperfError('E_EXPORT', `the metric ${name} gave single values for the first ${ROWS_PER_GROUP} requests and a list later`, { hint: 'A metric gives either one value per request or a list. Leave out --export-parquet, or mend the plugin.' })
  return cells
}

function schemaOf(columns: readonly ParquetColumn[], lists: ReadonlySet<number>): Schema {
  const schema: Schema = [{ name: 'root', num_children: columns.length }]
  for (const [c, { name, type }] of columns.entries()) {
    if (type === 'STRING') schema.push({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' })
    else if (!lists.has(c)) schema.push({ name, type: type === 'VALUE' ? 'DOUBLE' : type, repetition_type: 'OPTIONAL' })
    else
      schema.push(
        { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'DOUBLE', repetition_type: 'REQUIRED' },
      )
  }
  return schema
}

function keyValues({ manifest, metrics, verdict }: RunResult): { key: string; value: string }[] {
  return [
    { key: 'aiperf.schema_version', value: SCHEMA_VERSION },
    { key: 'aiperf.version', value: manifest.aiperfVersion },
    { key: 'aiperf.benchmark_id', value: manifest.benchmarkId },
    { key: 'aiperf.verdict', value: verdict.verdict },
    { key: 'aiperf.complete', value: String(manifest.complete) },
    { key: 'aiperf.units', value: JSON.stringify(Object.fromEntries(metrics.map((metric) => [metric.tag, metric.displayUnit ?? metric.unit]))) },
  ]
}
