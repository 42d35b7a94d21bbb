import { defineExporter } from '@aiperf/core'
import { report } from './console/report.js'
import { jsonText } from './format/json-text.js'
import { runSummary } from './summary/document.js'

/** The terminal: verdict, headline and tables; with `--output json` the JSON summary and nothing else. */
export default defineExporter({
  create: () => ({
    async write(run, dir) {
      const { columns, color, verbose, output } = dir.console
      dir.print(output === 'json' ? `${jsonText(runSummary(run))}\n` : report(run, { columns, color, verbose }))
    },
  }),
})
