import { defineSearchPlanner } from '@aiperf/core'
import type { BayesianOptions } from './bayesian/models.js'
import { BayesianSearch } from './bayesian/search.js'

export default defineSearchPlanner({ create: ({ search, options, random }) => new BayesianSearch(search, options as unknown as BayesianOptions, random) })
