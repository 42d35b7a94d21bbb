import { Args, Command, Flags } from '@oclif/core'
import { AiperfError } from '@aiperf/core'
import { installedPlugins } from '../../installed.js'
import { announcement, difference } from '../../plugins/changes.js'
import { kept } from '../../plugins/home.js'
import { install } from '../../plugins/install.js'

export default class PluginsInstall extends Command {
  static override aliases = ['plugins:add']
  static override strict = false
  static override summary = 'Install plugins: from the registry, a tarball, a folder or git.'
  static override description = `Shows what a package contributes before and after. Scripts of packages do not run unless asked for. A newer copy of a
package that comes with aiperf takes its place; \`plugins uninstall\` brings the old one back.`
  static override examples = ['<%= config.bin %> plugins install @acme/aiperf-endpoint', '<%= config.bin %> plugins install @acme/aiperf-endpoint@^1.2', '<%= config.bin %> plugins install ./acme-1.0.0.tgz', '<%= config.bin %> plugins install ./folder', '<%= config.bin %> plugins install github:acme/aiperf-endpoint#v1.2.0']
  static override args = { plugin: Args.string({ description: 'Name (with @version, @range or @tag), tarball, folder or git URL; several are installed together.', required: true }) }
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Show what would be installed, and install nothing.' }),
    scripts: Flags.boolean({ description: 'Let npm run the scripts of the packages and of what they depend on.' }),
    json: Flags.boolean({ description: 'Print JSON.' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(PluginsInstall)
    const words = argv as string[]
    const stray = words.find((word) => word.startsWith('-'))
    if (stray) throw new AiperfError('E_FLAG_UNKNOWN', `${stray} is no flag of plugins install.`, { hint: 'Flags: --dry-run, --scripts, --json.' })
    const before = installedPlugins(this.config)
    const say = (text: string) => void (flags.json ? process.stderr : process.stdout).write(text)
    const candidates = await install(this.config, words, {
      scripts: flags.scripts,
      dryRun: flags['dry-run'],
      before: (list) => say(`${list.map((candidate) => announcement(candidate, before, flags.scripts)).join('\n')}\n`),
    })
    const after = flags['dry-run'] ? before : installedPlugins(this.config, kept(this.config))
    if (flags.json)
      return void process.stdout.write(`${JSON.stringify({ installed: flags['dry-run'] ? [] : candidates.map(({ package: { name, version }, integrity, contributions }) => ({ name, version, integrity, contributions: contributions.map(({ kind, name: contribution }) => ({ kind, name: contribution })) })) }, null, 2)}\n`)
    if (flags['dry-run']) return say('Nothing was installed (--dry-run).\n')
    say(`Installed ${candidates.map(({ package: { name, version } }) => `${name} ${version}`).join(', ')}.\n${difference(before, after)}`)
  }
}
