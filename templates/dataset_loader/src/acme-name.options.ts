import { z } from 'zod'

export default z.strictObject({
  maxAnswerTokens: z.int().min(1).optional().describe('Upper limit of the tokens of each answer.').meta({ flag: '--acme-name-max-answer-tokens', group: 'Acme Name' }),
})
