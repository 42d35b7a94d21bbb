import { z } from 'zod'

export default z.strictObject({
  quillWarmth: z.number().min(0).max(1).default(0.5).describe('How freely Quill writes, 0 to 1.').meta({ flag: '--quill-warmth', group: 'Quill' }),
  quillThinks: z.boolean().default(false).describe('Let Quill think before it answers; its thoughts count as reasoning.').meta({ flag: '--quill-thinks', group: 'Quill' }),
})
