import { z } from 'zod'

export default z.strictObject({
  parquet: z.boolean().default(false).describe('Write the records as Parquet too').meta({ flag: '--export-parquet', group: 'Output' }),
})
