import { z } from 'zod'

export default z.strictObject({
  maxTokens: z.int().min(1).default(1024).describe('Longest answer to a question of a file that states none itself, tokens').meta({ flag: '--accuracy-max-tokens', group: 'Accuracy', value: '<tokens>' }),
})
