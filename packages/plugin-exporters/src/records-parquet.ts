import { defineExporter } from '@aiperf/core'
import type schema from './records-parquet.options.js'

/** `profile_export.parquet`: one row per request with the times, outcome and metrics of the JSONL (`--export-parquet`). */
export default defineExporter<typeof schema>({
  create: ({ options }) => ({
    async write(run, dir) {
      if (!options.parquet) return
      const { parquetFile } = await import('./parquet/write.js')
      await dir.stream(dir.named('profile_export.parquet', '.parquet'), parquetFile(run))
    },
  }),
})
