// Prepares the rank table of the builtin tokenizer, when it is older than what it is made from.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(import.meta.dirname)
const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const source = fileURLToPath(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'))
const file = join(root, 'generated/o200k_base.ranks')
const made = modified(file)
if ([source, import.meta.filename, join(root, 'dist/tokenizers/preparedRanks.js')].some((path) => modified(path) > made)) {
  const { prepareRanks } = await import('../dist/tokenizers/preparedRanks.js')
  const { readRankTable } = await import('../dist/tokenizers/rankTable.js')
  const bytes = readFileSync(source)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, prepareRanks(readRankTable(bytes, source), bytes.length))
}
