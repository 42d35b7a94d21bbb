import { Command } from '@oclif/core/command'
import { configSchema } from '@aiperf/core/options'
import { installedPlugins } from '../../installed.js'

export default class ConfigSchema extends Command {
  static override summary = 'Print the JSON Schema of a config file, options of the installed packages included.'
  static override examples = ['<%= config.bin %> config schema > aiperf.schema.json']

  async run(): Promise<void> {
    await this.parse(ConfigSchema)
    process.stdout.write(`${JSON.stringify(configSchema(installedPlugins(this.config)), null, 2)}\n`)
  }
}
