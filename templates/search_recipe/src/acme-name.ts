import { ConfigurationError, defineSearchRecipe, type JsonObject } from '@aiperf/core'
import type options from './acme-name.options.js'

export default defineSearchRecipe<typeof options>({
  create: () => ({
    // What to look for, as data. The host runs the points, and repeats, resumes and reports them.
    expand({ acmeNameMost }, { model }) {
      const phase = model.phases.find(({ kind }) => kind === 'profiling')
      if (!phase) throw new ConfigurationError([{ flags: ['--search-recipe'], message: 'acme_name needs a profiling phase.' }])
      const steps: number[] = []
      for (let load = 1; load < acmeNameMost; load *= 2) steps.push(load)
      steps.push(acmeNameMost)
      return { kind: 'sweep', cells: steps.map((load) => ({ name: `c${load}`, point: { [`phases.${phase.name}.concurrency`]: load } })) }
    },
    report: (points): Record<string, JsonObject> => ({
      'acme_name.json': {
        steps: points.map(({ name, trials }) => ({ name: name ?? '', throughput: trials[0]?.metrics.get('request_throughput')?.avg ?? null, latencyP99: trials[0]?.metrics.get('request_latency')?.p99 ?? null })),
      },
    }),
  }),
})
