import { z } from 'zod'
import { inputFile, results } from './options/tool.options.js'

export default z.strictObject({
  inputFile: inputFile('file', 'The trace: rows of mooncake_trace or bailian_trace, packed or not'),
  format: z.enum(['mooncake_trace', 'bailian_trace']).optional().describe('Format of the trace, where its first row does not tell').meta({ flag: '--custom-dataset-type', group: 'Input' }),
  blockSize: z.int().min(1).optional().describe('Tokens that one hash id stands for (default: the format’s own, 512 or 16)').meta({ flag: '--block-size', aliases: ['--isl-block-size'], group: 'Input', value: '<tokens>' }),
  onBadLine: z.enum(['fail', 'skip']).default('fail').describe('What a row that cannot be used does').meta({ flag: '--on-bad-line', group: 'Input' }),
  ...results,
})
