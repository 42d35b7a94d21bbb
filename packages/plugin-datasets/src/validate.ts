import { defineTool, EXIT, type OptionsSchema } from '@aiperf/core'
import { giveResults, shortNumber, type ResultOptions } from './analysis/results.js'
import { validateDataset, type Validation } from './analysis/validate.js'

interface ValidateOptions extends ResultOptions {
  inputFile: string
  format?: string
  blockSize?: number
  fixedSchedule?: boolean
  tokenizer: string
  limit: number
}

/** Reads a dataset as a run would and says everything that is wrong with it; the exit code is 2 when it cannot be used. */
export default defineTool<OptionsSchema<ValidateOptions>>({
  create: ({ options }) => ({
    async run(host) {
      const { inputFile: path, format, blockSize, fixedSchedule, tokenizer, limit } = options
      const { name, loader } = await host.loader({
        path, tokenizer,
        ...(format === undefined ? {} : { format }),
        ...(fixedSchedule === undefined ? {} : { fixedSchedule }),
        ...(blockSize === undefined ? {} : { options: { prompts: { blockSize } } }),
      })
      const validation = await validateDataset(loader, (report) => host.openSource(path, report), limit)
      await giveResults(host, options, { file: path, format: name, ...validation }, () => text(path, name, validation))
      return validation.valid ? EXIT.ok : EXIT.usage
    },
  }),
})

function text(path: string, format: string, found: Validation): string {
  const count = (number: number, what: string) => `${shortNumber(number)} ${what}${number === 1 ? '' : 's'}`
  const skipped = Object.entries(found.skipped)
  const lines = [
    `${path} (${format}): ${found.valid ? 'can be used' : found.badCount > 0 ? 'cannot be used' : 'holds nothing that could be sent'}`,
    `  ${count(found.sessions, 'session')} of ${count(found.turns, 'turn')}${found.turnsWithTimestamp > 0 ? `, ${shortNumber(found.turnsWithTimestamp)} with a time stamp` : ''}${found.inputTokens > 0 ? `, ${count(found.inputTokens, 'input token')}` : ''}`,
    ...(found.badCount > 0 ? [`  ${count(found.badCount, 'bad line')}${found.badCount > found.bad.length ? `, the first ${found.bad.length}` : ''}:`] : []),
    ...found.bad.map(({ file, line, reason }) => `    ${file}, line ${line}: ${reason}`),
    ...skipped.map(([reason, times]) => `  left out ${shortNumber(times)}: ${reason}`),
    ...found.warnings.map((warning) => `  note: ${warning}`),
  ]
  return `${lines.join('\n')}\n`
}
