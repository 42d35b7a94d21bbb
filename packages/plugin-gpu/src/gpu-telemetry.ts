import { defineExporter, phaseFolders, type JsonObject, type RunResult } from '@aiperf/core'
import { telemetryData } from './export/document.js'
import { gpuSources, seenGpus, windowsOf } from './export/gpus.js'
import { gpuLines } from './export/lines.js'
import { gpuCsv, gpuTables } from './export/tables.js'

/** Version of the layout of `phases/<name>/gpu_telemetry.json`. */
const SCHEMA_VERSION = 1

/** GPUs of every source: `telemetry_data` and the CSV block of the summary, tables, samples, and a file per phase. */
export default defineExporter({
  create: () => ({
    adds(run) {
      const sources = gpuSources(run)
      const windows = windowsOf(run)
      const gpus = seenGpus(sources, windows)
      return {
        json: { telemetry_data: telemetryData(run, sources, windows) },
        csv: [gpuCsv(gpus)],
        ...(gpus.length > 0 ? { tables: gpuTables(gpus, sources) } : {}),
        ...(sources.length > 0 ? { phases: Object.fromEntries([...phaseFiles(run)].map(([index, path]) => [index, { gpu_telemetry_json: path }])) } : {}),
      }
    },
    async write(run, dir) {
      const sources = gpuSources(run)
      if (sources.length === 0) return
      await dir.stream(dir.named('gpu_telemetry_export.jsonl', '_gpu_telemetry.jsonl'), batched(gpuLines(run, sources)))
      for (const [index, path] of phaseFiles(run)) {
        const { name, kind, startNs, endNs, wasCancelled, profilingIndex } = run.manifest.phases[index]!
        const data = telemetryData(run, sources, [{ startNs, endNs, phase: index }])
        const phase: JsonObject = { phase_index: index, phase_name: name, phase_kind: kind, profiling_index: profilingIndex ?? null, was_cancelled: wasCancelled }
        await dir.write(path, `${JSON.stringify({ schema_version: SCHEMA_VERSION, phase, data }, null, 2)}\n`)
      }
    },
  }),
})

/** A file for each phase, by its index, when there are several. */
function phaseFiles(run: RunResult): Map<number, string> {
  const { phases } = run.manifest
  if (phases.length < 2) return new Map()
  const folders = phaseFolders(phases)
  return new Map(phases.map((phase, i) => [phase.index, `phases/${folders[i]}/gpu_telemetry.json`]))
}

const LINES = 256

async function* batched(lines: Iterable<string>): AsyncGenerator<string> {
  let text: string[] = []
  for (const line of lines) {
    text.push(line)
    if (text.length >= LINES) yield text.splice(0).join('')
  }
  if (text.length > 0) yield text.join('')
}
