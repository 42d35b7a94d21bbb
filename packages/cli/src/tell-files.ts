import { relative } from 'node:path'
import { EXIT } from '@aiperf/core'

interface Written {
  files: readonly string[]
  skipped: readonly { directory: string; reason: string }[]
}

/** Prints the files that were made of some folders, and why folders were passed over, which is a failure. */
export function tellFiles({ files, skipped }: Written, folders: number): void {
  for (const file of files) process.stdout.write(`${shown(file)}\n`)
  if (skipped.length === 0) return
  process.stderr.write(`${skipped.length} of ${folders} folders passed over:\n${skipped.map(({ directory, reason }) => `  ${directory}: ${reason}`).join('\n')}\n`)
  process.exitCode = EXIT.failed
}

function shown(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : path
}
