import { Args, Command, Flags } from '@oclif/core'
import { AiperfError, EXIT, KINDS, kindByName, type Kind } from '@aiperf/core'
import { contributionsOf, didYouMean, find, type PluginIndex } from '@aiperf/core/host'
import { installedPlugins } from '../../installed.js'
import { kept, type Kept } from '../../plugins/home.js'
import { contributionLines, contributionTable, fromOf, kindTable, offers, packageTable } from '../../plugins/listing.js'
import { validate } from '../../plugins/validate.js'

export default class Plugins extends Command {
  static override summary = 'List the installed packages, what they offer of a kind, or one contribution.'
  static override description = 'Reads manifests only; nothing is loaded, except with --validate.'
  static override examples = ['<%= config.bin %> plugins', '<%= config.bin %> plugins endpoint', '<%= config.bin %> plugins endpoint chat']
  static override args = {
    kind: Args.string({ description: `Kind of contribution: ${Object.keys(KINDS).join(', ')}.` }),
    name: Args.string({ description: 'Name of one contribution.' }),
  }
  static override flags = {
    all: Flags.boolean({ description: 'List the kinds, with everything there is of each.' }),
    json: Flags.boolean({ description: 'Print JSON.' }),
    validate: Flags.boolean({ description: 'Load, create and end every contribution and check that it keeps its contract; exit code 1 when one does not.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Plugins)
    const index = installedPlugins(this.config)
    const kind = args.kind === undefined ? undefined : kindOf(args.kind)
    if (flags.validate) {
      const report = await validate(index, kind, args.name)
      process.stdout.write(flags.json ? json(report) : report.map(({ package: owner, kind: k, name, problem, fix }) => `${problem ? 'FAIL' : 'ok  '} ${k} ${name} (${owner})${problem ? `: ${problem}\n     ${fix ?? ''}` : ''}\n`).join(''))
      if (report.some((row) => row.problem)) process.exitCode = EXIT.failed
      return
    }
    process.stdout.write(flags.json ? json(data(index, kept(this.config), kind, args.name)) : text(index, kept(this.config), kind, args.name, flags.all))
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function kindOf(word: string): Kind {
  const kind = kindByName(word)
  if (kind) return kind
  const known = Object.entries(KINDS).flatMap(([name, { aliases }]) => [name, ...aliases])
  throw new AiperfError('E_PLUGIN_UNKNOWN', `There is no kind of contribution "${word}".`, { hint: didYouMean(word, known) || `Kinds: ${Object.keys(KINDS).join(', ')}.` })
}

function data(index: PluginIndex, added: readonly Kept[], kind: Kind | undefined, name: string | undefined): unknown {
  if (kind === undefined) return index.packages.map((p) => ({ ...p, from: fromOf(p, added), offers: offers(index, p), contributions: index.contributions.filter((c) => c.package === p.name && c.version === p.version).length }))
  return name === undefined ? contributionsOf(index, kind) : find(index, kind, name)
}

function text(index: PluginIndex, added: readonly Kept[], kind: Kind | undefined, name: string | undefined, all: boolean): string {
  if (kind === undefined) return all ? kindTable(index) : packageTable(index, added)
  return name === undefined ? contributionTable(index, kind) : contributionLines(find(index, kind, name))
}
