import { defineExporter, phaseFolders, type PhaseResult, type RunResult } from '@aiperf/core'
import { jsonText, type JsonValue } from './format/json-text.js'
import { unixTime } from './format/unix-time.js'
import { summaryCsv } from './summary/csv-text.js'
import { requestCounts } from './summary/counts.js'
import { errorDetails, phaseSummary } from './summary/document.js'

/** Version of the layout of `phase_manifest.json`. */
const SCHEMA_VERSION = 1

/** `phase_manifest.json` and `phases/<name>/`: what each phase of a run with several gave, warm-up included. */
export default defineExporter({
  create: () => ({
    async write(run, dir) {
      if (run.phases.length < 2) return
      const folders = phaseFolders(run.phases.map((phase) => phase.info))
      const phases: { [key: string]: JsonValue }[] = []
      for (const [i, phase] of run.phases.entries()) {
        const csv = `phases/${folders[i]}/${dir.named('profile_export_aiperf.csv', '.csv')}`
        const json = `phases/${folders[i]}/${dir.named('profile_export_aiperf.json', '.json')}`
        await dir.write(csv, summaryCsv(run, phase.metrics))
        await dir.write(json, `${jsonText(phaseSummary(run, phase))}\n`)
        phases.push(sorted({ ...entry(run, phase), ...run.additions.phases?.[phase.info.index], metrics_csv: csv, metrics_json: json }))
      }
      await dir.write('phase_manifest.json', `${jsonText({ phases, schema_version: SCHEMA_VERSION })}\n`)
    },
  }),
})

function entry(run: RunResult, phase: PhaseResult): { [key: string]: JsonValue } {
  const { info, errors } = phase
  const counts = requestCounts(phase)
  return {
    phase_index: info.index,
    profiling_index: info.profilingIndex ?? null,
    phase_name: info.name,
    phase_kind: info.kind,
    start_ns: unixTime(run, info.startNs),
    end_ns: unixTime(run, info.endNs),
    was_cancelled: info.wasCancelled,
    successful_request_count: counts.succeeded,
    error_request_count: counts.failed,
    total_request_count: counts.succeeded + counts.failed,
    error_summary: errors.map(({ error, count }) => ({ error_details: errorDetails(error), count })),
  }
}

function sorted(object: { [key: string]: JsonValue }): { [key: string]: JsonValue } {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
