import { Command } from '@oclif/core/command'
import { ConfigurationError } from '@aiperf/core'
import { buildTable, resolveRun } from '@aiperf/core/options'
import { installedPlugins } from '../installed.js'
import { onInterrupt } from '../profile/interrupt.js'
import { codeOf } from '../report-error.js'

/** A model name is needed for bodies, and stands for nothing here. */
const MODEL = 'calibration-test-model'

export default class Calibrate extends Command {
  static override summary = 'Measure this client itself: what it adds to a latency, and what it can do at most.'
  static override description =
    'Sends load to a server that does no work, in the same process, with the endpoint, payloads and workers of a run. Takes the flags of profile. ' +
    'Runs of the same kind on this machine read the result for a week.'
  static override examples = ['<%= config.bin %> calibrate --endpoint-type chat --streaming', '<%= config.bin %> calibrate --streaming --isl 4000 --output json']
  static override strict = false

  async run(): Promise<void> {
    const index = installedPlugins(this.config)
    const table = buildTable(index)
    const named = this.argv.some((a) => /^(--model|--model-names|-m)(=|$)/.test(a))
    const { model, problems } = await resolveRun({ index, table, argv: named ? this.argv : [...this.argv, '--model', MODEL], env: process.env })
    if (!model) throw new ConfigurationError(problems, codeOf(problems))
    const interrupt = onInterrupt()
    const { calibrateAndKeep } = await import('@aiperf/engine')
    const result = await calibrateAndKeep(model, { index, signal: interrupt.signal })
    if (model.runtime.output === 'json') process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`)
    else {
      const row = (label: string, value: string): string => `${label.padEnd(34)}${value}\n`
      const ms = (value: number): string => `${value.toPrecision(3)} ms`
      const count = (value: number): string => Math.round(value).toLocaleString('en-US')
      process.stdout.write(
        row('Added to a latency, p50', ms(result.floorLatencyP50Ms)) +
          row('Added to a latency, p99', ms(result.floorLatencyP99Ms)) +
          row('Requests per second, at most', `${count(result.requestsPerSecond)} (${result.workers} worker${result.workers === 1 ? '' : 's'})`) +
          row('Response chunks per second', `${count(result.chunksPerSecond)} (many to a read)`),
      )
    }
  }
}
