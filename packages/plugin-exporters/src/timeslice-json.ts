import { inputConfig } from './summary/input-config.js'
import { defineExporter } from '@aiperf/core'
import { jsonText, type JsonValue } from './format/json-text.js'
import { metricMap, shown } from './summary/metric-object.js'

/** `profile_export_aiperf_timeslices.json`: every metric per slice (`--slice-duration`). */
export default defineExporter({
  create: () => ({
    async write(run, dir) {
      if (run.output.sliceSeconds === undefined) return
      const timeslices = run.profiling.slices.map((slice, index) => ({
        timeslice_index: index,
        start_ns: run.unixNs(slice.startNs),
        end_ns: run.unixNs(slice.endNs),
        is_complete: slice.complete ? undefined : false,
        ...metricMap(shown(slice.metrics, run.output.internalMetrics)),
      }))
      const content = { timeslices, input_config: inputConfig(run.manifest) as { [key: string]: JsonValue } }
      await dir.write(dir.named('profile_export_aiperf_timeslices.json', '_timeslices.json'), `${jsonText(content)}\n`)
    },
  }),
})
