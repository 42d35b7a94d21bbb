import { Command, Flags } from '@oclif/core'
import { kept } from '../../plugins/home.js'
import { removePlugins } from '../../plugins/remove.js'

export default class PluginsReset extends Command {
  static override summary = 'Remove all plugins that were installed or linked.'
  static override description = 'Those that come with aiperf are as they were on the first day; folders of linked plugins stay where they are.'
  static override examples = ['<%= config.bin %> plugins reset']
  static override flags = { json: Flags.boolean({ description: 'Print JSON.' }) }

  async run(): Promise<void> {
    const { flags } = await this.parse(PluginsReset)
    const present = kept(this.config)
    const changes = present.length > 0 ? await removePlugins(this.config, present) : ''
    const removed = present.map(({ name }) => name)
    if (flags.json) return void process.stdout.write(`${JSON.stringify({ removed }, null, 2)}\n`)
    process.stdout.write(removed.length === 0 ? 'Nothing was installed or linked.\n' : `Removed ${removed.join(', ')}.\n${changes}`)
  }
}
