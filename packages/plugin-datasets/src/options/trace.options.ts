import { z } from 'zod'
import { osl } from './outputLength.options.js'
import { corpus } from './text.options.js'

/** Options of the formats that rebuild prompts from hash ids. */
export const tracePrompts = z
  .strictObject({
    blockSize: z
      .int()
      .min(1)
      .optional()
      .describe('Tokens that one hash id of a trace stands for (default: the format’s own)')
      .meta({
        flag: '--prompt-input-tokens-block-size',
        aliases: ['--synthetic-input-tokens-block-size', '--isl-block-size'],
        group: 'Input Sequence Length (ISL)',
        value: '<tokens>',
      }),
    osl,
    ...corpus,
  })
  .optional()

export const traceContext = z
  .enum(['delta', 'cumulative'])
  .optional()
  .describe('Whether a later turn’s length and hash ids are those of the new text (delta, default) or of the whole context (cumulative)')
  .meta({ flag: '--trace-context', group: 'Input' })
