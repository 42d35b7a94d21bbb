import { resolve } from 'node:path'
import { Args, Command, Flags } from '@oclif/core'
import { AiperfError } from '@aiperf/core'
import { didYouMean } from '@aiperf/core/host'
import { kept, type Kept } from '../../plugins/home.js'
import { removePlugins } from '../../plugins/remove.js'

export default class PluginsUninstall extends Command {
  static override aliases = ['plugins:unlink', 'plugins:remove']
  static override strict = false
  static override summary = 'Remove plugins that were installed or linked.'
  static override description = 'A package that comes with aiperf and was replaced by an installed copy is used again.'
  static override examples = ['<%= config.bin %> plugins uninstall @acme/aiperf-endpoint', '<%= config.bin %> plugins unlink .']
  static override args = { plugin: Args.string({ description: 'Name of the package, or the folder of a linked one; several are removed together.', required: true }) }
  static override flags = { json: Flags.boolean({ description: 'Print JSON.' }) }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(PluginsUninstall)
    const present = kept(this.config)
    const wanted = (argv as string[]).map((word) => find(present, word))
    const changes = await removePlugins(this.config, wanted)
    if (flags.json) return void process.stdout.write(`${JSON.stringify({ removed: wanted.map(({ name }) => name) }, null, 2)}\n`)
    process.stdout.write(`Removed ${wanted.map(({ name }) => name).join(', ')}.\n${changes}`)
  }
}

function find(present: readonly Kept[], word: string): Kept {
  const name = word.replace(/(?<=.)@[^/]*$/, '')
  // A linked copy hides an installed one of the same name: it goes first.
  const found = present.find((item) => item.type === 'link' && (item.name === name || item.root === resolve(word))) ?? present.find((item) => item.name === name)
  if (found) return found
  throw new AiperfError('E_COMMAND', `${word} is not installed.`, { hint: didYouMean(name, present.map((item) => item.name)) || (present.length === 0 ? 'No plugin was installed or linked; those that come with aiperf cannot be removed.' : `Installed: ${present.map((item) => item.name).join(', ')}.`) })
}
