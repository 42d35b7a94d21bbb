import { z } from 'zod'
import { recordedTimes } from './options/timing.options.js'

export default z.strictObject(recordedTimes)
