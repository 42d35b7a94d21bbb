import { z } from 'zod'
import { islSteps } from './recipe/fields.options.js'

export default z.strictObject(islSteps())
