import { testPlugin, type SearchRecipeCase } from '@aiperf/conformance'
import { describe, test } from 'vitest'

const streaming = (model: Parameters<NonNullable<SearchRecipeCase['model']>>[0]) => ({ ...model, endpoint: { ...model.endpoint, streaming: true } })
const space = [
  { path: 'phases.profiling.concurrency', lo: 1, hi: 64, kind: 'int', scale: 'log' },
  { path: 'datasets.main.prompts.isl', lo: 100, hi: 2000 },
]

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    search_recipe: {
      'max-throughput-ttft-sla': { options: { ttftSlaMs: 200 }, model: streaming },
      'max-throughput-itl-sla': { options: { itlSlaMs: 20 }, model: streaming },
      'max-goodput-under-slo': { options: { ttftSlaMs: 200, itlSlaMs: 20, e2eSlaMs: 2000 }, model: streaming },
      'max-concurrency-under-sla': { options: { e2eSlaMs: 2000, errorRateSla: 0.01 } },
      'prefill-ttft-curve': { model: streaming },
      'decode-itl-curve': { model: streaming },
      'pareto-sweep': { options: { islOslPairs: '128/128,512/256' }, lists: { 'phases.profiling.concurrency': [1, 8] }, model: streaming },
      sobol: { options: { samples: 8, dimensions: space } },
      latin_hypercube: { options: { samples: 8, dimensions: space } },
    },
  },
})
