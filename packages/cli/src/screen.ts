import { isAbsolute, relative } from 'node:path'
import type { ArtifactDir } from '@aiperf/core'
import { wrap } from './text-layout.js'

const WIDTH_WITHOUT_TERMINAL = 140

/** What results on stdout may look like. */
export function consoleFacts(verbose: boolean, output: 'text' | 'json'): ArtifactDir['console'] {
  const columns = process.stdout.columns ?? Number(process.env['COLUMNS'] || WIDTH_WITHOUT_TERMINAL)
  const color = process.env['NO_COLOR'] === undefined && (process.stdout.isTTY === true || !['', '0', undefined].includes(process.env['FORCE_COLOR']))
  return { columns, color, verbose, output }
}

/** Where the results are, after they were shown: on stderr when stdout is for a program. */
export function filesLine(directory: string, files: readonly string[], output: 'text' | 'json'): void {
  const shown = relative(process.cwd(), directory)
  const names = files.map((file) => (isAbsolute(file) ? relative(directory, file) : file)).filter((name) => !name.startsWith('.')).sort()
  const stream = output === 'json' ? process.stderr : process.stdout
  stream.write(`\nFiles in ${shown === '' ? '.' : shown.startsWith('..') ? directory : shown}:\n${wrap(names.join('  '), 2)}`)
}
