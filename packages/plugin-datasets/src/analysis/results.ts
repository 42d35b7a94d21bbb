import { writeFile } from 'node:fs/promises'
import { AiperfError, type ToolHost } from '@aiperf/core'

/** How a tool gives its results, see `results` in options/tool.options.ts. */
export interface ResultOptions {
  output: 'text' | 'json'
  outputFile?: string
}

/** Prints results and writes them to the file that was asked for. */
export async function giveResults(host: ToolHost, { output, outputFile }: ResultOptions, results: object, text: () => string): Promise<void> {
  const json = `${JSON.stringify(results, null, 2)}\n`
  if (outputFile !== undefined) {
    try {
      await writeFile(outputFile, json)
    } catch (error) {
      throw new AiperfError('E_ARTIFACTS', `--output-file: ${outputFile} cannot be written: ${(error as Error).message}`, { cause: error })
    }
  }
  host.print(output === 'json' ? json : text())
}

/** Rows with aligned columns, the first to the left. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? shortNumber(cell) : cell)))
  const widths = texts[0]!.map((_, at) => Math.max(...texts.map((row) => (row[at] ?? '').length)))
  return texts.map((row) => `${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]! + 2))).join('').trimEnd()}\n`).join('')
}

/** Two decimals at most, with separators. */
export const shortNumber = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 })
