import { defineSearchRecipe } from '@aiperf/core'
import { ttftLimit } from './recipe/limits.js'
import { throughputUnder } from './recipe/throughput.js'

interface Options {
  ttftSlaMs: number
  concurrencyMin: number
  concurrencyMax: number
}

/** The concurrency of the highest token throughput at which p95 of the time to first token stays below a limit. */
export default defineSearchRecipe({
  create: () => ({
    expand: (options, base) => {
      const { ttftSlaMs, ...bounds } = options as unknown as Options
      return throughputUnder('max-throughput-ttft-sla', ttftLimit(ttftSlaMs), bounds, base)
    },
  }),
})
