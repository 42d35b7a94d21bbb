import { defineExporter } from '@aiperf/core'
import { jsonText } from './format/json-text.js'
import { runSummary } from './summary/document.js'

/** `profile_export_aiperf.json`: the summary over all profiling phases. */
export default defineExporter({
  create: () => ({
    async write(run, dir) {
      await dir.write(dir.named('profile_export_aiperf.json', '.json'), `${jsonText(runSummary(run))}\n`)
    },
  }),
})
