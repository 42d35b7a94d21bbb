import { z } from 'zod'
import { gpuFields } from './gpu/options.js'

export default z.strictObject(gpuFields)
