import { z } from 'zod'
import { boundaryFields } from './boundary/boundary.options.js'

export default z.strictObject(boundaryFields)
