import { z } from 'zod'
import { names, seriesOptions } from './options.js'

export default z.strictObject({ y: names('Series by name; several share the axis. A part of a name, * for the rest: gpu*power*'), title: z.string().optional().describe('Title of the axis; the series\' own when not given'), ...seriesOptions })
