import { z } from 'zod'
import { concurrencySteps, oslSteps } from './recipe/fields.options.js'

export default z.strictObject({ ...concurrencySteps(200, 6), ...oslSteps() })
