import { defineExporter } from '@aiperf/core'
import { summaryCsv } from './summary/csv-text.js'

/** `profile_export_aiperf.csv`: every metric over all profiling phases. */
export default defineExporter({
  create: () => ({
    async write(run, dir) {
      await dir.write(dir.named('profile_export_aiperf.csv', '.csv'), summaryCsv(run, run.profiling.metrics, run.additions.csv))
    },
  }),
})
