import { z } from 'zod'
import { seriesOptions, tag } from './options.js'

export default z.strictObject({ y: tag('Curve of the left axis: output_token_rate, requests_in_flight, or a telemetry series'), y2: tag('Curve of the right axis'), ...seriesOptions })
