import { Args, Command, Flags } from '@oclif/core'
import { AiperfError } from '@aiperf/core'
import { didYouMean } from '@aiperf/core/host'
import { installedPlugins } from '../../installed.js'
import { announcement, difference } from '../../plugins/changes.js'
import { kept, type Kept } from '../../plugins/home.js'
import { install } from '../../plugins/install.js'

export default class PluginsUpdate extends Command {
  static override strict = false
  static override summary = 'Install the newest versions that the installed plugins were asked for by.'
  static override description = 'A plugin that was installed as NAME@^1 stays below 2; one from git or a file is fetched again from there.'
  static override examples = ['<%= config.bin %> plugins update', '<%= config.bin %> plugins update @acme/aiperf-endpoint']
  static override args = { plugin: Args.string({ description: 'Names of packages; all installed ones when not given.' }) }
  static override flags = {
    scripts: Flags.boolean({ description: 'Let npm run the scripts of the packages and of what they depend on.' }),
    json: Flags.boolean({ description: 'Print JSON.' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(PluginsUpdate)
    const present = kept(this.config).filter((item): item is Extract<Kept, { type: 'user' }> => item.type === 'user')
    const unknown = (argv as string[]).find((name) => !present.some((item) => item.name === name))
    if (unknown) throw new AiperfError('E_COMMAND', `${unknown} is not installed.`, { hint: didYouMean(unknown, present.map(({ name }) => name)) || '`aiperf plugins` lists what is.' })
    const wanted = present.filter(({ name }) => argv.length === 0 || argv.includes(name))
    if (wanted.length === 0) return void process.stdout.write(flags.json ? '{ "updated": [] }\n' : 'No plugin was installed.\n')
    const before = installedPlugins(this.config)
    const changed = (version: string, name: string) => before.packages.some((p) => p.name === name && p.version === version && p.origin === 'installed')
    await install(this.config, wanted.map(({ name, tag, url }) => url ?? `${name}@${tag ?? 'latest'}`), {
      scripts: flags.scripts,
      dryRun: false,
      before: (list) => list.filter((c) => !changed(c.package.version, c.package.name)).forEach((candidate) => (flags.json ? process.stderr : process.stdout).write(`${announcement(candidate, before, flags.scripts)}\n`)),
    })
    const after = installedPlugins(this.config, kept(this.config))
    if (!flags.json) return void process.stdout.write(difference(before, after))
    const updated = after.packages.filter((p) => p.origin === 'installed' && changed(p.version, p.name) === false && wanted.some(({ name }) => name === p.name))
    process.stdout.write(`${JSON.stringify({ updated: updated.map(({ name, version }) => ({ name, version })) }, null, 2)}\n`)
  }
}
