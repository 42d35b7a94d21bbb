import { Args, Command, Flags } from '@oclif/core'
import { AiperfError, type JsonObject } from '@aiperf/core'
import { planOfFile } from '../../config/resolved.js'
import { installedPlugins } from '../../installed.js'

export default class ConfigExpand extends Command {
  static override summary = 'Show the points that a config file would be run at.'
  static override args = { file: Args.string({ required: true, description: 'The config file.' }) }
  static override flags = {
    full: Flags.boolean({ char: 'F', description: 'With the whole benchmark of every point.' }),
    index: Flags.integer({ char: 'i', min: 0, description: 'Only the point with this number, from 0.' }),
    format: Flags.string({ char: 'f', options: ['text', 'yaml', 'json'], default: 'text', description: 'Form of the list.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigExpand)
    const { plan } = await planOfFile(installedPlugins(this.config), args.file)
    if (plan.kind === 'search') throw new AiperfError('E_COMMAND', `${args.file} is a search: its points are chosen while it runs.`, { hint: 'aiperf config validate checks it.' })
    const cells = plan.cells.filter((cell) => flags.index === undefined || cell.index === flags.index)
    if (cells.length === 0) throw new AiperfError('E_COMMAND', `There is no point ${flags.index}; the points are 0 to ${plan.cells.length - 1}.`)
    const list = cells.map((cell): JsonObject => ({ index: cell.index, dir_name: plan.kind === 'repeats' ? '.' : cell.folder, label: cell.label, values: { ...cell.values }, ...(flags.full ? { benchmark: cell.explicit } : {}) }))
    if (flags.format === 'json') return void process.stdout.write(`${JSON.stringify(list, undefined, 2)}\n`)
    const { stringify } = await import('yaml')
    if (flags.format === 'yaml') return void process.stdout.write(stringify(list))
    for (const { index, dir_name, label, benchmark } of list) process.stdout.write(`${String(index).padStart(4)}  ${String(dir_name)}  ${String(label)}\n${benchmark === undefined ? '' : `${stringify(benchmark).replaceAll(/^(?=.)/gm, '      ')}\n`}`)
  }
}
