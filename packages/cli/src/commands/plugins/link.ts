import { resolve } from 'node:path'
import { Args, Command, Flags } from '@oclif/core'
import { AiperfError } from '@aiperf/core'
import { buildIndex } from '@aiperf/core/host'
import { installedPlugins } from '../../installed.js'
import { difference } from '../../plugins/changes.js'
import { keep, kept } from '../../plugins/home.js'
import { npm } from '../../plugins/npm.js'
import { readPolicies, refusal } from '../../plugins/policy.js'

export default class PluginsLink extends Command {
  static override summary = 'Use the plugin in a folder as it is, for developing it.'
  static override description = 'A linked plugin takes the place of an installed or bundled one of the same name, whatever their versions.'
  static override examples = ['<%= config.bin %> plugins link .']
  static override args = { path: Args.string({ description: 'Folder of the package.', default: '.' }) }
  static override flags = {
    install: Flags.boolean({ description: 'Install the dependencies of the package first.', allowNo: true, default: false }),
    json: Flags.boolean({ description: 'Print JSON.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PluginsLink)
    const root = resolve(args.path)
    const [found] = buildIndex([{ directory: root, origin: 'linked' }]).packages
    if (!found || /package\.json (does not exist|cannot be read)/.test(found.problem ?? '')) throw new AiperfError('E_COMMAND', `${root} is no plugin of AIPerf: ${found?.problem ?? 'its package.json has no "aiperf" key'}.`, { hint: '`aiperf plugins create KIND NAME` writes one.' })
    const refused = refusal(readPolicies(this.config), found.name)
    if (refused) throw new AiperfError('E_COMMAND', `${found.name} may not be linked: ${refused}.`, { hint: 'Ask whoever keeps that file to add it.' })
    if (flags.install) await npm(this.config, ['install'], { cwd: root })
    const before = installedPlugins(this.config)
    keep(this.config, (list) => [...list.filter((item) => !(item.type === 'link' && (item.name === found.name || item.root === root))), { name: found.name, type: 'link', root }])
    if (flags.json) return void process.stdout.write(`${JSON.stringify({ linked: { name: found.name, version: found.version, root } }, null, 2)}\n`)
    process.stdout.write(`Linked ${found.name} ${found.version}, in ${root}.\n${difference(before, installedPlugins(this.config, kept(this.config)))}`)
  }
}
