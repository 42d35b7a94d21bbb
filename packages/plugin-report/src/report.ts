import { defineExporter } from '@aiperf/core'
import { runReport } from './report/run-report.js'
import { loadAssets } from './report/shell.js'
import { journalRun } from './runs/journal-run.js'
import { namesOf } from './runs/metric-names.js'
import type schema from './report.options.js'

/** Requests up to which a report is made in a small part of the time that the other files take. */
const MOST_FOR_AUTO = 10_000

/** `report.html`: the run on one page, made with its other files. */
export default defineExporter<typeof schema>({
  create({ options }) {
    // Exporters are made while a run goes on; what can be read then does not hold up its end.
    if (options.report !== 'never') loadAssets()
    return {
      async write(run, dir) {
        const { completed, censored } = run.profiling.info.counts
        if (options.report === 'never' || (options.report === 'auto' && completed + censored > MOST_FOR_AUTO)) return
        const page = await runReport({ ...journalRun(run, dir.path, namesOf(run.metrics)), label: '' })
        await dir.write(dir.named('report.html', '_report.html'), page)
      },
    }
  },
})
