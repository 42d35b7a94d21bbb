import { z } from 'zod'
import { seriesOptions, tag } from './options.js'

export default z.strictObject({ y: tag('output_token_rate, requests_in_flight, or a telemetry series, e.g. vllm:num_requests_running'), ...seriesOptions })
