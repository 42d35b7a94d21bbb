import { defineSearchRecipe } from '@aiperf/core'
import { concurrencyDimension, needsStreaming } from './recipe/space.js'

interface Options {
  ttftSlaMs: number
  itlSlaMs: number
  e2eSlaMs: number
  sloAttainmentFraction: number
  concurrencyMin: number
  concurrencyMax: number
}

const ITERATIONS = 30

/** The concurrency at which most requests per second meet all three objectives, while nearly all requests do. */
export default defineSearchRecipe({
  create: () => ({
    expand: (options, { model }) => {
      const { ttftSlaMs, itlSlaMs, e2eSlaMs, sloAttainmentFraction, ...bounds } = options as unknown as Options
      needsStreaming('max-goodput-under-slo', model)
      return {
        kind: 'search',
        planner: 'bayesian',
        plannerOptions: {},
        dimensions: [concurrencyDimension(bounds)],
        objectives: [{ tag: 'goodput', stat: 'avg', direction: 'maximize' }],
        constraints: [{ tag: 'good_request_fraction', stat: 'avg', op: '>=', threshold: sloAttainmentFraction }],
        fixed: { slos: { time_to_first_token: ttftSlaMs, inter_token_latency: itlSlaMs, request_latency: e2eSlaMs } },
        maxIterations: ITERATIONS,
      }
    },
  }),
})
