import { Command } from '@oclif/core/command'
import { AiperfError } from '@aiperf/core'
import { installedPlugins } from '../installed.js'
import { contributionTable } from '../plugins/listing.js'
import { runTool } from '../tools/run-tool.js'

export default class Tool extends Command {
  static override summary = 'Run a tool of an installed package by its name; without one, list them.'
  static override description = 'aiperf tool NAME --help shows the flags of a tool.'
  static override examples = ['<%= config.bin %> tool', '<%= config.bin %> tool analyze-trace --input-file trace.jsonl']
  static override strict = false
  /** So that the framework does not miss its own parser. */
  override parsed = true

  async run(): Promise<void> {
    const [name, ...rest] = this.argv
    if (name === undefined) return void process.stdout.write(contributionTable(installedPlugins(this.config), 'tool'))
    if (name.startsWith('-')) throw new AiperfError('E_COMMAND', `Expected the name of a tool before ${name}.`, { hint: 'aiperf tool lists them.' })
    await runTool(this.config, name, rest, `aiperf tool ${name}`)
  }
}
