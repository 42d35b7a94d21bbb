import { z } from 'zod'
import { concurrencyBounds, ttftSlaMs } from './recipe/fields.options.js'

export default z.strictObject({ ttftSlaMs, ...concurrencyBounds() })
