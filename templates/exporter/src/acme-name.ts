import { defineExporter, type RunResult } from '@aiperf/core'
import type options from './acme-name.options.js'

export default defineExporter<typeof options>({
  create: ({ options }) => ({
    // A function of the run: the same run gives the same file. Everything that is written is waited for.
    write: (run, dir) => dir.write(dir.named('acme_name.md', '_acme_name.md'), markdown(run, options.acmeNameDigits)),
  }),
})

function markdown({ manifest, profiling, verdict }: RunResult, digits: number): string {
  const cell = (value: number | undefined) => (value === undefined ? '' : value.toFixed(digits))
  const rows = [...profiling.metrics.values()].filter((metric) => metric.internal !== true).map(({ header, unit, avg, p50, p99 }) => `| ${header} | ${unit} | ${cell(avg)} | ${cell(p50)} | ${cell(p99)} |`)
  return [`# ${manifest.endpoint.models.join(', ')}: ${verdict.verdict}`, '', '| metric | unit | avg | p50 | p99 |', '| --- | --- | --- | --- | --- |', ...rows, ''].join('\n')
}
