import { Args, Command, Flags } from '@oclif/core'
import { AiperfError, EXIT } from '@aiperf/core'
import { didYouMean } from '@aiperf/core/host'
import { installedPlugins } from '../../installed.js'
import { examine } from '../../plugins/examine.js'
import { wrap } from '../../text-layout.js'

export default class PluginsDoctor extends Command {
  static override summary = 'Find out what is wrong with installed plugins, and what to do about it.'
  static override description = 'Loads, creates and ends every contribution, each package in a process of its own with a time limit. Exit code 1 when something is wrong.'
  static override examples = ['<%= config.bin %> plugins doctor', '<%= config.bin %> plugins doctor @acme/aiperf-endpoint']
  static override args = { package: Args.string({ description: 'Only this package.' }) }
  static override flags = {
    all: Flags.boolean({ description: 'The packages that come with aiperf too.' }),
    json: Flags.boolean({ description: 'Print JSON.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PluginsDoctor)
    const index = installedPlugins(this.config)
    if (args.package !== undefined && !index.packages.some((p) => p.name === args.package)) throw new AiperfError('E_COMMAND', `${args.package} is not installed.`, { hint: didYouMean(args.package, index.packages.map((p) => p.name)) || '`aiperf plugins` lists what is.' })
    const findings = await examine(this.config, index, { bundled: flags.all, ...(args.package === undefined ? {} : { only: args.package }) })
    if (findings.some(({ level }) => level === 'fail')) process.exitCode = EXIT.failed
    if (flags.json) return void process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
    for (const { level, about, message, fix } of findings) process.stdout.write(`${level === 'fail' ? 'FAIL' : level.padEnd(4)} ${wrap(`${about}: ${message}`, 5).trimStart()}${fix === undefined ? '' : wrap(fix, 9)}`)
  }
}
