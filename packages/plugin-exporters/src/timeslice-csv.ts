import { defineExporter } from '@aiperf/core'
import { CSV_END, csvLine } from './format/csv-line.js'
import { csvNumber } from './format/numbers.js'
import { byTag, CSV_STATISTICS } from './summary/csv-text.js'
import { isScalar, shown } from './summary/metric-object.js'

/** `profile_export_aiperf_timeslices.csv`: one row per slice, metric and statistic (`--slice-duration`). */
export default defineExporter({
  create: () => ({
    async write(run, dir) {
      if (run.output.sliceSeconds === undefined) return
      const lines = [csvLine(['Timeslice', 'Start_NS', 'End_NS', 'Metric', 'Unit', 'Stat', 'Value'])]
      for (const [index, slice] of run.profiling.slices.entries()) {
        const place = [String(index), String(run.unixNs(slice.startNs)), String(run.unixNs(slice.endNs))]
        for (const metric of shown(slice.metrics, run.output.internalMetrics).sort(byTag))
          for (const name of isScalar(metric) ? (['avg'] as const) : CSV_STATISTICS) {
            const value = csvNumber(metric[name])
            if (value !== '') lines.push(csvLine([...place, metric.header, metric.unit, name, value]))
          }
      }
      await dir.write(dir.named('profile_export_aiperf_timeslices.csv', '_timeslices.csv'), lines.map((line) => line + CSV_END).join(''))
    },
  }),
})
