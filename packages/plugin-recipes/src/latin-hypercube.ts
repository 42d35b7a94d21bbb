import { defineSearchRecipe } from '@aiperf/core'
import { latinHypercube, type Optimization } from './design/latin.js'
import { designed, streamOf, type DesignOptions } from './design/plan.js'

/** One point in each of as many strata of every dimension as there are points. */
export default defineSearchRecipe({
  create: ({ random }) => ({
    expand: (given) => {
      const options = given as unknown as DesignOptions & { optimization: Optimization }
      const { samples, scramble, dimensions, optimization } = options
      const shares = latinHypercube(samples, dimensions.length, streamOf(options, random), { scramble, optimization })
      return designed('latin_hypercube', options, shares, { optimization }, [])
    },
  }),
})
