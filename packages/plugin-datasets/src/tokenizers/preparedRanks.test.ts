import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { prepareRanks, readPreparedRanks } from './preparedRanks.js'
import { readRankTable } from './rankTable.js'

const folder = mkdtempSync(join(tmpdir(), 'prepared-ranks-'))
afterAll(() => rmSync(folder, { recursive: true }))
const source = readFileSync(fileURLToPath(import.meta.resolve('gpt-tokenizer/data/r50k_base.tiktoken')))
const table = readRankTable(source, 'r50k_base.tiktoken')
const path = join(folder, 'r50k_base.ranks')
writeFileSync(path, prepareRanks(table, source.length))

describe('prepared rank tables', () => {
  it('are the table of the tiktoken file', () => {
    const read = readPreparedRanks(path, source.length)!
    expect([read.size, read.longest]).toEqual([table.size, table.longest])
    for (const part of ['bytes', 'starts', 'slots'] as const) expect(Buffer.compare(Buffer.from(read[part].buffer, read[part].byteOffset, read[part].byteLength), Buffer.from(table[part].buffer, table[part].byteOffset, table[part].byteLength))).toBe(0)
  })

  it('are passed over when they are missing, of another tiktoken file, or cut', () => {
    expect(readPreparedRanks(join(folder, 'none.ranks'), source.length)).toBeUndefined()
    expect(readPreparedRanks(path, source.length + 1)).toBeUndefined()
    truncateSync(path, 1000)
    expect(readPreparedRanks(path, source.length)).toBeUndefined()
  })
})
