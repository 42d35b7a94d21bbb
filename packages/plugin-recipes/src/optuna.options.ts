import { z } from 'zod'
import bayesian from './bayesian.options.js'

const group = 'Search'

export default z.strictObject({
  ...bayesian.shape,
  optunaSampler: z.enum(['gp', 'botorch']).default('gp').describe('Both are the Gaussian process of this program').meta({ flag: '--optuna-sampler', group }),
  optunaAcquisition: z
    .enum(['logei', 'qlogei', 'qnei', 'qlognei', 'qehvi', 'qnehvi', 'qlognehvi'])
    .default('qlognei')
    .describe('All are noisy expected improvement here; of several objectives, of hypervolume')
    .meta({ flag: '--optuna-acquisition', group }),
  optunaTerminator: z.enum(['none']).default('none').describe('A search ends by its own rules').meta({ flag: '--optuna-terminator', group }),
})
