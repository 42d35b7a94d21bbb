import { defineSearchRecipe } from '@aiperf/core'
import { itlLimit } from './recipe/limits.js'
import { throughputUnder } from './recipe/throughput.js'

interface Options {
  itlSlaMs: number
  concurrencyMin: number
  concurrencyMax: number
}

/** The concurrency of the highest token throughput at which p95 of the time between tokens stays below a limit. */
export default defineSearchRecipe({
  create: () => ({
    expand: (options, base) => {
      const { itlSlaMs, ...bounds } = options as unknown as Options
      return throughputUnder('max-throughput-itl-sla', itlLimit(itlSlaMs), bounds, base)
    },
  }),
})
