import { defineSearchRecipe } from '@aiperf/core'
import { designed, streamOf, type DesignOptions } from './design/plan.js'
import { MOST_DIMENSIONS, Sobol } from './design/sobol.js'
import { ConfigurationError } from '@aiperf/core'

/** Points of a Sobol sequence: evenly spread in every projection. */
export default defineSearchRecipe({
  create: ({ random }) => ({
    expand: (given) => {
      const options = given as unknown as DesignOptions
      const { samples, scramble, dimensions } = options
      if (dimensions.length > MOST_DIMENSIONS) throw new ConfigurationError([{ flags: ['sweep.dimensions'], message: `sweep.dimensions: a Sobol sweep has at most ${MOST_DIMENSIONS} dimensions, got ${dimensions.length}.`, hint: 'Use type: latin_hypercube.' }])
      const sobol = new Sobol(dimensions.length, scramble ? streamOf(options, random) : undefined)
      const notices = [
        ...(Number.isInteger(Math.log2(samples)) ? [] : [`${samples} points of a Sobol sequence are less even than a power of two would be.`]),
        ...(scramble ? [] : ['Without scrambling the first point has the lowest value of every dimension.']),
      ]
      return designed('sobol', options, Array.from({ length: samples }, (_, i) => sobol.at(i)), {}, notices)
    },
  }),
})
