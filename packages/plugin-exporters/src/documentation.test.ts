import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runResult } from '../test/run-result.js'
import { parquetColumns } from './parquet/columns.js'

const here = new URL('.', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, here), 'utf8')
const page = read('../../../docs/files.md')

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  $defs?: Record<string, Schema>
}
/** Members that other programs write, or that agentic runs and sweeps will: readers take them. */
const FOREIGN = /^(source_|sweep_id|trial$|run_label|variation_|parent_correlation_id|cause|details|cache_bust|branch_stats|metadata$|connection_pool|dns_cache|request_chunks$|response_chunks$|response_reason|local_|remote_|request_headers_sent_ns)/

function members(schema: Schema): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [name, ...members(part)])
  return [...own, ...(schema.items ? members(schema.items) : []), ...Object.values(schema.$defs ?? {}).flatMap(members)]
}

test('docs/files.md names every file and every member', () => {
  const { aiperf } = JSON.parse(read('../package.json')) as { aiperf: { contributes: { exporter: Record<string, { meta: { files?: string[] } }> } } }
  const files = Object.values(aiperf.contributes.exporter).flatMap(({ meta }) => meta.files ?? []).filter((name) => !name.includes('<') && !name.endsWith('_timeslices.csv'))
  expect(files.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`${name}\`](`))).toEqual([])
  for (const file of readdirSync(new URL('../schemas/', here))) {
    const names = members(JSON.parse(read(`../schemas/${file}`)) as Schema).filter((name) => !FOREIGN.test(name))
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page)), file).toEqual([])
  }
})

test('docs/files.md names every column of the Parquet file', () => {
  const run = runResult({ records: [] })
  const columns = parquetColumns(run).filter(({ type }) => type !== 'VALUE').map(({ name }) => name)
  expect(columns.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
