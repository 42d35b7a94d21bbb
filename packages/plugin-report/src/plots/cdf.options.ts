import { z } from 'zod'
import { tag } from './options.js'

export default z.strictObject({ y: tag('Metric of single requests') })
