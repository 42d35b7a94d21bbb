import { defineSearchPlanner } from '@aiperf/core'
import { BayesianSearch, type BayesianOptions } from './bayesian/search.js'

export default defineSearchPlanner({ create: ({ search, options, random }) => new BayesianSearch(search, options as unknown as BayesianOptions, random) })
