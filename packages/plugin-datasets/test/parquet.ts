import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer'

/** Shapes of a column, as schemas of public datasets have them. */
export type Shape = 'text' | 'bytes' | 'integer' | { list: Shape } | { struct: Record<string, Shape> }

function elements(name: string, shape: Shape): SchemaElement[] {
  if (shape === 'text') return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }]
  if (shape === 'bytes') return [{ name, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' }]
  if (shape === 'integer') return [{ name, type: 'INT64', repetition_type: 'OPTIONAL' }]
  if ('list' in shape)
    return [
      { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...elements('element', shape.list),
    ]
  const fields = Object.entries(shape.struct)
  return [{ name, repetition_type: 'OPTIONAL', num_children: fields.length }, ...fields.flatMap(([field, inner]) => elements(field, inner))]
}

/** A Parquet file of these columns. */
export function parquetOf(columns: Record<string, [shape: Shape, values: unknown[]]>): Uint8Array {
  const names = Object.keys(columns)
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: names.map((name) => ({ name, data: columns[name]![1] })),
      schema: [{ name: 'root', num_children: names.length }, ...names.flatMap((name) => elements(name, columns[name]![0]))],
      rowGroupSize: 2,
    }),
  )
}
