import { z } from 'zod'

/** Options that the tools share. */
export const inputFile = (input: 'file' | 'path', what: string) => z.string().min(1).describe(what).meta({ flag: '--input-file', group: 'Input', value: '<path>', input })

export const results = {
  output: z.enum(['text', 'json']).default('text').describe('Form of the results on stdout').meta({ flag: '--output', group: 'Output' }),
  outputFile: z.string().min(1).optional().describe('File that the results are written to as JSON, besides').meta({ flag: '--output-file', group: 'Output', value: '<file>' }),
}
