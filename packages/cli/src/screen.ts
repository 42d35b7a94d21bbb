import type { ArtifactDir } from '@aiperf/core'

const WIDTH_WITHOUT_TERMINAL = 140

/** What results on stdout may look like. */
export function consoleFacts(verbose: boolean, output: 'text' | 'json'): ArtifactDir['console'] {
  const columns = process.stdout.columns ?? Number(process.env['COLUMNS'] || WIDTH_WITHOUT_TERMINAL)
  const color = process.env['NO_COLOR'] === undefined && (process.stdout.isTTY === true || !['', '0', undefined].includes(process.env['FORCE_COLOR']))
  return { columns, color, verbose, output }
}
