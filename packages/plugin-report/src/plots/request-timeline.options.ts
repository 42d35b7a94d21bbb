import { z } from 'zod'
import { tag } from './options.js'

export default z.strictObject({ y: tag('request_number, or the metric of single requests that says how high each lies').default('time_to_first_token') })
