import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Args, Command, Flags } from '@oclif/core'
import { AiperfError } from '@aiperf/core'
import { didYouMean } from '@aiperf/core/host'
import { installedPlugins } from '../../installed.js'
import { kept } from '../../plugins/home.js'
import { fromOf } from '../../plugins/listing.js'
import { columns } from '../../text-layout.js'

export default class PluginsInspect extends Command {
  static override strict = false
  static override summary = 'Show where packages lie, what they contribute, and what they depend on.'
  static override examples = ['<%= config.bin %> plugins inspect @aiperf/plugin-endpoints']
  static override args = { plugin: Args.string({ description: 'Names of packages.', required: true }) }
  static override flags = { json: Flags.boolean({ description: 'Print JSON.' }) }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(PluginsInspect)
    const index = installedPlugins(this.config)
    const found = (argv as string[]).map((name) => {
      const copies = index.packages.filter((p) => p.name === name)
      if (copies.length === 0) throw new AiperfError('E_COMMAND', `${name} is not installed.`, { hint: didYouMean(name, index.packages.map((p) => p.name)) || '`aiperf plugins` lists what is.' })
      return copies.map((p) => ({
        ...p,
        from: fromOf(p, kept(this.config)),
        contributions: p.replacedBy === undefined ? index.contributions.filter((c) => c.package === p.name).map((c) => ({ kind: c.kind, name: c.name })) : [],
        dependencies: dependenciesOf(p.directory),
      }))
    }).flat()
    if (flags.json) return void process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
    for (const { name, version, from, directory, api, problem, replacedBy, contributions, dependencies } of found)
      process.stdout.write(`${name} ${version}\n${columns([
        ['from', from],
        ['folder', directory],
        ['contract', String(api)],
        ...(replacedBy === undefined ? [] : [['not used', `replaced by ${replacedBy}`]]),
        ...(problem === undefined ? [] : [['problem', problem]]),
        ['contributes', contributions.map((c) => `${c.kind} ${c.name}`).join(', ') || 'nothing'],
        ['depends on', Object.entries(dependencies).map(([other, range]) => `${other} ${range}`).join(', ') || 'nothing'],
      ], 2)}`)
  }
}

function dependenciesOf(directory: string): Readonly<Record<string, string>> {
  try {
    return (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { dependencies?: Record<string, string> }).dependencies ?? {}
  } catch {
    // What is wrong with it is told as the problem of the package.
    return {}
  }
}
