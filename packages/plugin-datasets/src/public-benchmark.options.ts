import { z } from 'zod'

export default z.strictObject({
  revision: z.string().min(1).default('main').describe('Revision of the benchmark that is fetched: a branch, a tag or a commit').meta({ flag: '--accuracy-revision', group: 'Accuracy', value: '<revision>' }),
})
