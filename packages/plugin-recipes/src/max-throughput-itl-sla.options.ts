import { z } from 'zod'
import { concurrencyBounds, itlSlaMs } from './recipe/fields.options.js'

export default z.strictObject({ itlSlaMs, ...concurrencyBounds() })
