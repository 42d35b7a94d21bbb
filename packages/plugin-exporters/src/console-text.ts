import { defineExporter } from '@aiperf/core'
import { report } from './console/report.js'
import type schema from './console-text.options.js'

const DEFAULT_WIDTH = 140

/** `profile_export_console.txt`: what the console shows with `--verbose`, as plain text of a fixed width. */
export default defineExporter<typeof schema>({
  create: ({ options }) => ({
    async write(run, dir) {
      const text = report(run, { columns: options.width ?? DEFAULT_WIDTH, color: false, verbose: true })
      await dir.write(dir.named('profile_export_console.txt', '_console.txt'), text)
    },
  }),
})
