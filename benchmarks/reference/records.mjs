// The record processing of the reference implementation, driven by a script of ours in its own interpreter.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { mustRun } from '../measure/process.mjs'

const RANKS = 'https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken'

/** What processes `count` records with the interpreter that the reference's command names in its first line. */
export function recordProcessing(command) {
  const [python, ...flags] = interpreterOf(command.trim().split(/\s+/)[0])
  return async (answers, folder, count) => {
    const env = { TIKTOKEN_CACHE_DIR: ranksFolder(folder) }
    const { stdout, peakMb, wallMs } = await mustRun([python, ...flags, join(import.meta.dirname, 'records.py'), folder, answers, String(count)], { env })
    return { cpuSeconds: JSON.parse(stdout.trim().split('\n').at(-1)).cpuSeconds, wallSeconds: wallMs / 1000, memoryMb: peakMb }
  }
}

function interpreterOf(program) {
  const path = execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program]).toString().trim()
  const [, line] = /^#!\s*(\S.*)/.exec(readFileSync(path, 'utf8')) ?? []
  if (line === undefined) throw new Error(`--reference ${program}: expected a script whose first line names its Python, as pip installs them`)
  return line.trim().split(/\s+/)
}

/** The table of its builtin tokenizer where tiktoken looks before it asks the network: ours has the same one. */
function ranksFolder(folder) {
  const made = join(folder, 'tiktoken')
  mkdirSync(made, { recursive: true })
  const require = createRequire(join(import.meta.dirname, '../../packages/plugin-datasets/package.json'))
  copyFileSync(require.resolve('gpt-tokenizer/data/o200k_base.tiktoken'), join(made, createHash('sha1').update(RANKS).digest('hex')))
  return made
}
