import { z } from 'zod'

/** Where generated text comes from; options of every loader that makes text. */
export const corpus = {
  corpus: z
    .enum(['sonnet', 'coding', 'random'])
    .optional()
    .describe('What generated text is made of: sentences, program code, or random tokens of the vocabulary (default sonnet)')
    .meta({ flag: '--prompt-corpus', group: 'Prompt' }),
  corpusFile: z.string().optional().describe('A text file whose words generated text is made of').meta({ flag: '--prompt-corpus-file', group: 'Prompt', value: '<file>' }),
}

const group = 'Prefix Prompt'

export const prefixPrompts = z
  .strictObject({
    poolSize: z
      .int()
      .min(0)
      .optional()
      .describe('Number of shared prefixes; the first turn of a conversation begins with one of them (default 0)')
      .meta({ flag: '--prompt-prefix-pool-size', aliases: ['--prefix-prompt-pool-size', '--num-prefix-prompts'], group }),
    length: z
      .int()
      .min(0)
      .optional()
      .describe('Length of each shared prefix, tokens; added to the input length')
      .meta({ flag: '--prompt-prefix-length', aliases: ['--prefix-prompt-length'], group, value: '<tokens>' }),
    sharedSystemLength: z
      .int()
      .min(1)
      .optional()
      .describe('Length of a generated system message that all conversations share, tokens')
      .meta({ flag: '--shared-system-prompt-length', group, value: '<tokens>' }),
    userContextLength: z
      .int()
      .min(1)
      .optional()
      .describe('Length of a leading user message that each conversation has of its own, tokens')
      .meta({ flag: '--user-context-prompt-length', group, value: '<tokens>' }),
  })
  .optional()
