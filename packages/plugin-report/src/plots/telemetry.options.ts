import { z } from 'zod'
import { names, seriesOptions } from './options.js'

export default z.strictObject({ y: names('Series by name; several share the axis. A part of a name, * for the rest: gpu*power*'), except: z.array(z.string().min(1)).default([]).describe('Sources whose series are left out'), title: z.string().optional().describe('Title of the axis; the series\' own when not given'), ...seriesOptions })
