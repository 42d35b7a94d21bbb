import { z } from 'zod'
import { synthesis } from './options/synthesis.options.js'
import { recordedTimes } from './options/timing.options.js'
import { traceContext, tracePrompts } from './options/trace.options.js'

export default z.strictObject({ prompts: tracePrompts, traceContext, synthesis, ...recordedTimes })
