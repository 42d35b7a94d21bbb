import { defineExporter, phaseFolders, type OptionsSchema, type RunResult } from '@aiperf/core'
import { bigJson } from './export/big-json.js'
import { csv } from './export/csv.js'
import { document } from './export/document.js'
import { lines } from './export/lines.js'
import { parquet } from './export/parquet.js'
import { phaseDocument } from './export/phase-document.js'
import { serverMetrics } from './export/run.js'
import { tables } from './export/tables.js'

interface Options {
  serverMetricsFormats: ('json' | 'csv' | 'jsonl' | 'parquet')[]
}

/** Files of the server's metrics, and a table of the figures that matter. */
export default defineExporter<OptionsSchema<Options>>({
  create: ({ options }) => ({
    adds(run) {
      const result = serverMetrics(run)
      if (!result) return {}
      return { tables: tables(run, result), phases: Object.fromEntries([...phaseFiles(run)].map(([index, path]) => [index, { server_metrics_json: path }])) }
    },
    async write(run, dir) {
      const result = serverMetrics(run)
      if (!result?.targets.some(({ reached }) => reached)) return
      const formats = new Set(options.serverMetricsFormats)
      const name = (suffix: string): string => dir.named(`server_metrics_export${suffix}`, `_server_metrics${suffix}`)
      if (formats.has('json')) await dir.write(name('.json'), bigJson(document(run, result), 2))
      if (formats.has('csv')) await dir.write(name('.csv'), csv(run, result))
      if (formats.has('jsonl')) await dir.stream(name('.jsonl'), batched(lines(run, result)))
      if (formats.has('parquet')) await dir.stream(name('.parquet'), parquet(run, result))
      for (const [index, path] of phaseFiles(run)) await dir.write(path, `${bigJson(phaseDocument(run, result, run.manifest.phases[index]!), 2)}\n`)
    },
  }),
})

/** A file for each phase, by its index, when there are several. */
function phaseFiles(run: RunResult): Map<number, string> {
  const { phases } = run.manifest
  if (phases.length < 2 || !serverMetrics(run)?.targets.some(({ reached }) => reached)) return new Map()
  const folders = phaseFolders(phases)
  return new Map(phases.map((phase, i) => [phase.index, `phases/${folders[i]}/server_metrics.json`]))
}

const LINES = 64

async function* batched(texts: Iterable<string>): AsyncGenerator<string> {
  let batch: string[] = []
  for (const text of texts) {
    batch.push(text)
    if (batch.length >= LINES) yield batch.splice(0).join('')
  }
  if (batch.length > 0) yield batch.join('')
}
