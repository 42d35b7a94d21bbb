import { z } from 'zod'

const group = 'Synthesis'
const factor = (what: string, flag: string) => z.number().min(0).optional().describe(`${what} (default 1)`).meta({ flag, group, value: '<factor>' })

export const synthesis = z
  .strictObject({
    speedupRatio: factor('Divides the time stamps and delays of a trace; 0 leaves them', '--synthesis-speedup-ratio'),
    prefixLenMultiplier: factor('Multiplies the length of the prefixes that requests share', '--synthesis-prefix-len-multiplier'),
    prefixRootMultiplier: z.int().min(1).optional().describe('Spreads the requests over this many separate prefix trees (default 1)').meta({ flag: '--synthesis-prefix-root-multiplier', group }),
    promptLenMultiplier: factor('Multiplies the length of what is not a shared prefix', '--synthesis-prompt-len-multiplier'),
    outputLenMultiplier: factor('Multiplies the output lengths', '--synthesis-output-len-multiplier'),
    maxIsl: z.int().min(1).optional().describe('Leave out requests with a longer input, tokens').meta({ flag: '--synthesis-max-isl', group, value: '<tokens>' }),
    maxOsl: z.int().min(1).optional().describe('Longest output asked for, tokens').meta({ flag: '--synthesis-max-osl', group, value: '<tokens>' }),
  })
  .optional()
