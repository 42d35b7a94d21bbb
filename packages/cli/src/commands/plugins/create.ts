import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { Args, Command, Flags } from '@oclif/core'
import { AiperfError } from '@aiperf/core'
import { fromTemplate, templatesOf } from '../../plugins/template.js'

export default class PluginsCreate extends Command {
  static override summary = 'Write a new plugin package that builds, tests and runs as it is.'
  static override description = 'Kinds: endpoint, transport, dataset_loader, timing_mode, arrival_pattern, metric, exporter, telemetry_source, search_recipe, plot, accuracy_benchmark.'
  static override examples = ['<%= config.bin %> plugins create endpoint my-api', '<%= config.bin %> plugins create telemetry_source power-meter --package @acme/aiperf-power']
  static override args = {
    kind: Args.string({ description: 'Kind of contribution.', required: true }),
    name: Args.string({ description: 'Its name, such as my-api.', required: true }),
  }
  static override flags = {
    package: Flags.string({ description: 'Name of the npm package; aiperf-plugin-NAME when not given.' }),
    directory: Flags.string({ description: 'Folder to write; the last part of the package\'s name when not given.' }),
    json: Flags.boolean({ description: 'Print JSON.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PluginsCreate)
    const core = createRequire(join(this.config.root, 'package.json')).resolve('@aiperf/core/package.json')
    const { version } = JSON.parse(readFileSync(core, 'utf8')) as { version: string }
    const made = fromTemplate(templatesOf(this.config.root), { ...args, ...(flags.package === undefined ? {} : { packageName: flags.package }), coreVersion: version })
    const directory = resolve(flags.directory ?? made.packageName.split('/').at(-1)!)
    if (existsSync(directory) && readdirSync(directory).length > 0) throw new AiperfError('E_COMMAND', `${directory} exists and is not empty.`, { hint: 'Choose another folder with --directory.' })
    for (const [path, text] of made.files) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), text)
    }
    const { kind, packageName, contribution } = made
    if (flags.json) return void process.stdout.write(`${JSON.stringify({ kind, name: contribution, package: packageName, directory, files: [...made.files.keys()].sort() }, null, 2)}\n`)
    const folder = relative(process.cwd(), directory) || '.'
    process.stdout.write(`${packageName}, with the ${kind.replaceAll('_', ' ')} ${contribution}, is in ${folder}:\n\n  cd ${folder}\n  npm install\n  npm test                  builds it, and checks that it keeps its contract\n  aiperf plugins link .     makes it known to aiperf; README.md says how to use it\n`)
  }
}
