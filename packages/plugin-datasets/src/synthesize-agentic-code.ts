import { join } from 'node:path'
import { defineTool, type OptionsSchema } from '@aiperf/core'
import { synthesizeAgenticCode, type SynthesizeRequest } from './analysis/synthesize.js'
import { shortNumber } from './analysis/results.js'

/** Makes up a trace of coding agents: a Mooncake file, and what describes it. */
export default defineTool<OptionsSchema<Omit<SynthesizeRequest, 'now'>>>({
  create: ({ options }) => ({
    async run(host) {
      const { folder, analysis } = await synthesizeAgenticCode({ ...options, now: new Date() })
      host.print(`${shortNumber(options.sessions)} sessions of ${shortNumber(analysis.total_requests)} requests in ${join(folder, 'dataset.jsonl')}\n`)
      return 0
    },
  }),
})
