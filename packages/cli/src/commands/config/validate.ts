import { Args, Command } from '@oclif/core'
import { planOfFile } from '../../config/resolved.js'
import { installedPlugins } from '../../installed.js'

export default class ConfigValidate extends Command {
  static override summary = 'Check a config file, every point of its sweep included, as aiperf profile would.'
  static override args = { file: Args.string({ required: true, description: 'The config file.' }) }

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigValidate)
    const { plan, notices } = await planOfFile(installedPlugins(this.config), args.file)
    for (const notice of notices) process.stderr.write(`warn: ${notice}\n`)
    const { runs } = plan.orchestration.repeats
    const what = plan.kind === 'search' ? `a search with ${plan.search!.planner} over ${plan.search!.dimensions.map((d) => d.path).join(', ')}` : plan.kind === 'sweep' ? `${plan.cells.length} points` : 'one point'
    process.stdout.write(`${args.file} is valid: ${what}${runs > 1 ? `, ${runs} runs each` : ''}.\n`)
  }
}
