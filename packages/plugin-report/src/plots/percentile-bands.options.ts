import { z } from 'zod'
import { autoscale, tag } from './options.js'

export default z.strictObject({ y: tag('Metric of single requests, or a part of its lists such as inter_chunk_latency_p95'), autoscale })
