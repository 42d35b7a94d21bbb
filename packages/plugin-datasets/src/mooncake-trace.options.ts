import { z } from 'zod'
import { traceContext, tracePrompts } from './options/trace.options.js'

export default z.strictObject({ prompts: tracePrompts, traceContext })
