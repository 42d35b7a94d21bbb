import { z } from 'zod'
import { designFields } from './design/fields.options.js'

export default z.strictObject(designFields)
