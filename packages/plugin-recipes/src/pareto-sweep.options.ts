import { z } from 'zod'

export default z.strictObject({
  islOslPairs: z.string().min(1).describe('Shapes of requests, input/output length, e.g. 128/128,512/256').meta({ flag: '--isl-osl-pairs', group: 'Search', value: '<isl/osl,…>' }),
})
